import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const root = fileURLToPath(new URL('../..', import.meta.url))

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
const Locked = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
})
const Lock = z.object({ packages: z.record(z.string(), Locked) })

export interface ShippedPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  /** What its files say of its license; empty where they hold none. */
  readonly text: string
}

/** What the installed app brings of others: what it loads, what is built into its page, and all that these need. */
export function shippedPackages(): readonly ShippedPackage[] {
  const { dependencies, devDependencies } = Manifest.parse(readJson('package.json'))
  const { packages } = Lock.parse(readJson('package-lock.json'))
  return [...neededBy([...Object.keys(dependencies), ...builtIn(Object.keys(devDependencies))], packages)]
    .map(([place, name]) => ({
      name,
      version: packages[place]?.version ?? '',
      license: packages[place]?.license ?? licenseIn(place),
      text: licenseText(place),
    }))
    .sort((a, b) => (a.name === b.name ? compare(a.version, b.version) : compare(a.name, b.name)))
}

/** Names of packages by the folders that npm has put them in. */
type Places = ReadonlyMap<string, string>

/**
 * What the installed app loads from its `node_modules`, and what it leaves out: a service with workers has no window, so that nobody loads
 * its queue there.
 */
export function loadedPackages(): { readonly loaded: Places; readonly left: Places } {
  const { packages } = Lock.parse(readJson('package-lock.json'))
  const names = Object.keys(Manifest.parse(readJson('package.json')).dependencies)
  const loaded = neededBy(
    names.filter(name => name !== 'pg-boss'),
    packages,
  )
  return { loaded, left: new Map([...neededBy(names, packages)].filter(([place]) => !loaded.has(place))) }
}

function neededBy(names: readonly string[], packages: z.infer<typeof Lock>['packages']): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (name: string, from: string) => {
    const place = placeOf(name, from, packages)
    // Types are not shipped.
    if (place === null || found.has(place) || name.startsWith('@types/')) return
    found.set(place, name)
    for (const needed of Object.keys(packages[place]?.dependencies ?? {})) visit(needed, place)
  }
  for (const name of names) visit(name, '')
  return found
}

/** As the app ships it; `resources/THIRD-PARTY-NOTICES.md` is this text. */
export function renderNotices(shipped: readonly ShippedPackage[]): string {
  const byText = Map.groupBy(shipped, ({ text, license }) => text || `License: ${license}. The package holds no license file.`)
  const list = shipped.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  const texts = [...byText].map(
    ([text, of]) => `### ${of.map(({ name, version }) => `${name} ${version}`).join(', ')}\n\n${fenced(text)}\n`,
  )
  return `${preface}\n| package | version | license |\n|---|---|---|\n${list.join('\n')}\n\n## License texts\n\n${texts.join('\n')}`
}

const preface = `# Third-party notices

Assay is licensed under the MIT license (\`LICENSE\`). It brings the software below, each under its own license.

- **pyodide** is licensed under the Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/) and is brought unchanged; its source is at https://github.com/pyodide/pyodide. It contains CPython and its standard library (PSF License 2.0, https://docs.python.org/3/license.html) and Emscripten's runtime (MIT).
- **@jitl/quickjs-ng-wasmfile-release-sync** contains QuickJS-NG (MIT, https://github.com/quickjs-ng/quickjs).
- **sharp** loads libvips (LGPL-3.0-or-later) and the libraries that it is linked with from the folder \`node_modules/@img/sharp-libvips-*\` (on Windows \`@img/sharp-win32-*\`) of the installed app: a dynamic library of its own, brought unchanged, which may be replaced by another build. Its licenses are listed in the \`README.md\` of that folder; its source is at https://github.com/lovell/sharp-libvips.
- **better-sqlite3** contains SQLite, which is in the public domain.
- **xz-decompress** contains XZ Embedded, which is in the public domain (https://tukaani.org/xz/embedded.html), and walloc (MIT, Copyright (c) 2020 Igalia, S.L., https://github.com/wingo/walloc).
- **electron** contains Chromium and Node.js; their notices are in \`LICENSES.chromium.html\` beside the installed app.
- The fonts Inter and JetBrains Mono are licensed under the SIL Open Font License 1.1.

Written by \`vitest -u test/unit/main/third-party-notices.test.ts\`.
`

/** Of the packages that only a build needs, those that it puts into the app. */
function builtIn(names: readonly string[]): string[] {
  const sources = globSync('src/{renderer,charts,preload,main,engine}/**/*.{ts,tsx,mts,css}', { cwd: root }).map(path =>
    readFileSync(join(root, path), 'utf8'),
  )
  const imported = new Set(
    sources.flatMap(source =>
      Array.from(source.matchAll(/\b(?:from|import|require)\b[ (]*['"]((?:@[^'"/]+\/)?[^'"/]+)/g), ([, name]) => name),
    ),
  )
  return names.filter(name => imported.has(name))
}

/** Where npm has put the package that another means, nearest first. */
function placeOf(name: string, from: string, packages: Readonly<Record<string, unknown>>): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[place] !== undefined) return place
    if (at === '') return null
  }
}

function licenseText(place: string): string {
  const folder = join(root, place)
  if (!existsSync(folder)) return ''
  const names = readdirSync(folder).filter(name => /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i.test(name))
  return names
    .sort()
    .flatMap(name => {
      try {
        return [readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()]
      } catch {
        // A folder of that name.
        return []
      }
    })
    .join('\n\n')
}

function licenseIn(place: string): string {
  const { license } = z.object({ license: z.string().optional() }).parse(readJson(`${place}/package.json`))
  return license ?? 'see below'
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.replaceAll('```', "'''")}\n\`\`\``
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
