import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { arch, cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { _electron } from '@playwright/test'
import { defaultDataDir } from '../../src/headless/config.ts'
import { decideShell } from '../../src/headless/decide-shell.ts'
import { shellFacts } from '../../src/headless/shell-facts.ts'
import { scrubSecrets } from '../../src/lib/scrub-secrets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Most of a log that is taken, in characters from its end. */
const longestLog = 200_000

export interface Section {
  readonly title: string
  readonly text: string
}

export interface Screenshot {
  readonly title: string
  /** PNG. */
  readonly bytes: Uint8Array
}

/** One page that holds everything, to be attached to a report of a problem. Secrets and the name of the home folder are removed. */
export function reportHtml(sections: readonly Section[], screenshots: readonly Screenshot[], home: string): string {
  const clean = (text: string) => escaped(scrubSecrets(home === '' ? text : text.replaceAll(home, '~')))
  const parts = sections.map(({ title, text }) => `<h2>${clean(title)}</h2>\n<pre>${clean(text)}</pre>`)
  const pictures = screenshots.map(({ title, bytes }) => {
    const data = Buffer.from(bytes).toString('base64')
    return `<h2>${clean(title)}</h2>\n<img alt="${clean(title)}" width="900" src="data:image/png;base64,${data}">`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Desktop report</title>
<style>body { font: 15px/1.5 system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem } pre { overflow: auto; max-height: 30rem; border: 1px solid #6b7280; padding: .75rem }</style>
<h1>Assay desktop report</h1>
${[...parts, ...pictures].join('\n')}
</html>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The end of each log of a data folder. */
export function logsOf(dataDir: string): Section[] {
  const folder = join(dataDir, 'logs')
  if (!existsSync(folder)) return [{ title: 'Logs', text: `There is no folder ${folder}: Assay has not run there.` }]
  return readdirSync(folder)
    .filter(name => statSync(join(folder, name)).isFile())
    .toSorted()
    .map(name => ({ title: `Log ${name}`, text: readFileSync(join(folder, name), 'utf8').slice(-longestLog) }))
}

/** Versions and what of the surroundings decides how the desktop app behaves. No other variable of the environment is taken. */
export function versions(): Section {
  const read = (path: string): { readonly version?: string } => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const decision = decideShell(shellFacts())
  const session = ['XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE', 'WAYLAND_DISPLAY', 'DISPLAY', 'APPIMAGE']
  const lines = [
    `Assay ${read('package.json').version}`,
    `Electron ${read('node_modules/electron/package.json').version} (package)`,
    `electron-builder ${read('node_modules/electron-builder/package.json').version}`,
    `Node ${process.versions.node}`,
    `${process.platform} ${release()} ${arch()}, ${cpus().length} processors, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    `Shell: ${decision.shell}. ${decision.reason}`,
    ...session.map(name => `${name}=${process.env[name] ?? ''}`),
    `Session bus: ${process.env['DBUS_SESSION_BUS_ADDRESS'] ? 'yes' : 'no'}`,
  ]
  return { title: 'Versions', text: lines.join('\n') }
}

/** Starts the desktop app on a fresh data folder and photographs its pages, light and dark. Says why where it cannot run. */
async function photographs(): Promise<{ readonly sections: Section[]; readonly screenshots: Screenshot[] }> {
  const decision = decideShell(shellFacts())
  if (decision.shell === 'headless') return { sections: [{ title: 'Screenshots', text: `None: ${decision.reason}.` }], screenshots: [] }
  const folder = await mkdtemp(join(tmpdir(), 'assay-report-'))
  const screenshots: Screenshot[] = []
  try {
    const electron = await _electron.launch({
      executablePath: decision.program,
      args: [root, '--data-dir', join(folder, 'data'), '--port', '0'],
      env: { ...process.env, XDG_CONFIG_HOME: folder },
    })
    const page = await electron.firstWindow()
    const started = await electron.evaluate(({ app }) => ({
      versions: process.versions,
      metrics: app.getAppMetrics().map(({ type, name }) => `${type} ${name ?? ''}`),
      gpu: app.getGPUFeatureStatus(),
    }))
    for (const scheme of ['light', 'dark'] as const) {
      await electron.evaluate(({ nativeTheme }, source) => {
        nativeTheme.themeSource = source
      }, scheme)
      for (const path of ['/', '/models', '/settings']) {
        await page.goto(new URL(path, page.url()).href)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        screenshots.push({ title: `${path}, ${scheme}`, bytes: await page.screenshot() })
      }
    }
    await electron.close()
    return { sections: [{ title: 'Running app', text: JSON.stringify(started, null, 2) }, ...logsOf(join(folder, 'data'))], screenshots }
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { sections: [{ title: 'The app did not start', text }, ...logsOf(join(folder, 'data'))], screenshots }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Pictures that people put beside the checklist: `desktop-report/*.png`. */
function ownPictures(): Screenshot[] {
  const folder = join(root, 'desktop-report')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.png'))
    .map(name => ({ title: name, bytes: readFileSync(join(folder, name)) }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { sections, screenshots } = await photographs()
  const dataDir = process.argv[2] ?? defaultDataDir()
  const checklist = readFileSync(join(root, 'src/main/FIRST-START.md'), 'utf8')
  const home = process.env['HOME'] ?? process.env['USERPROFILE'] ?? ''
  const all = [versions(), ...sections, ...logsOf(dataDir), { title: 'Checklist', text: checklist }]
  const file = join(root, 'desktop-report.html')
  writeFileSync(file, reportHtml(all, [...screenshots, ...ownPictures()], home))
  console.log(`Wrote ${file}. Look through it before you send it: logs name benchmarks, models and hosts.`)
}
