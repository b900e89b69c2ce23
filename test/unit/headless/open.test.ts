import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { writeRedirectFile } from '../../../src/headless/redirect-file.ts'
import { assayHere } from '../../support/assay-here.ts'
import { startTestService, temporaryFolder } from '../../support/service.ts'

const opened: { close(): Promise<void> | void }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

function folder(): string {
  const made = temporaryFolder()
  opened.push({ close: made.remove })
  return made.path
}

/** Programs that a desktop opens files with; each notes its last argument and what it finds there. */
function standIn(programs: string, browser: string): void {
  const script = (text: string) => `#!/bin/sh\n${text}\n`
  const note = `for last; do :; done\nprintf '%s\\n' "$@" > "${programs}/arguments.partial" && mv "${programs}/arguments.partial" "${programs}/arguments"`
  for (const name of ['xdg-open', 'gio']) writeFileSync(join(programs, name), script(`[ "$1" = help ] && exit 0\n${note}`), { mode: 0o755 })
  writeFileSync(join(programs, 'xdg-settings'), script(`echo ${browser}`))
  for (const name of ['xdg-open', 'gio', 'xdg-settings']) chmodSync(join(programs, name), 0o755)
  vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`)
  vi.stubEnv('XDG_CURRENT_DESKTOP', 'GNOME')
}

async function argumentsOfBrowser(programs: string): Promise<string> {
  await expect.poll(() => existsSync(join(programs, 'arguments'))).toBe(true)
  return readFileSync(join(programs, 'arguments'), 'utf8').trimEnd()
}

describe.skipIf(process.platform !== 'linux')('assay open (with the programs of a Linux desktop)', () => {
  test('starts the browser with a private file that leads to the address, and no code in its arguments', async () => {
    const service = await startTestService()
    opened.push(service)
    const programs = folder()
    standIn(programs, 'firefox.desktop')
    const { code, out } = await assayHere(['open', '--data-dir', service.dataDir])
    expect(code).toBe(0)
    const address = /http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]+/.exec(out)?.[0] ?? ''
    const page = (await argumentsOfBrowser(programs)).split('\n').at(-1) ?? ''
    expect(page).toBe(join(service.dataDir, 'assay-sign-in.html'))
    expect(await argumentsOfBrowser(programs)).not.toContain('pair=')
    expect(readFileSync(page, 'utf8')).toContain(`<meta http-equiv="refresh" content="0; url=${address}">`)
    expect(statSync(page).mode & 0o777).toBe(0o600)

    await assayHere(['open', '--data-dir', service.dataDir])
    expect(readFileSync(page, 'utf8')).not.toContain(address)
  })

  test('puts the file where a browser that is a snap may read it', async () => {
    const service = await startTestService()
    opened.push(service)
    const [programs, home] = [folder(), folder()]
    vi.stubEnv('HOME', home)
    mkdirSync(join(home, 'snap/firefox/common'), { recursive: true })
    standIn(programs, 'firefox_firefox.desktop')
    await assayHere(['open', '--data-dir', service.dataDir])
    const page = join(home, 'snap/firefox/common/assay-sign-in.html')
    expect((await argumentsOfBrowser(programs)).split('\n').at(-1)).toBe(page)
    expect(statSync(page).mode & 0o777).toBe(0o600)
  })

  test('prints the address where the file cannot be written', async () => {
    const service = await startTestService()
    opened.push(service)
    const [programs, home] = [folder(), folder()]
    vi.stubEnv('HOME', home)
    mkdirSync(join(home, 'snap/firefox/common/assay-sign-in.html'), { recursive: true })
    standIn(programs, 'firefox_firefox.desktop')
    expect(await assayHere(['open', '--data-dir', service.dataDir])).toEqual({
      code: 0,
      out: expect.stringMatching(/^No browser could be started\. Open http:\/\/127\.0\.0\.1:\d+\/#pair=/),
      err: '',
    })
  })

  test('asks the desktop for its browser without stopping the service that it has started', async () => {
    const [programs, dataDir] = [folder(), folder()]
    standIn(programs, 'firefox.desktop')
    writeFileSync(join(programs, 'xdg-settings'), `#!/bin/sh\nuntil [ -e "${programs}/answered" ]; do sleep 0.05; done\n`)
    const written = writeRedirectFile(dataDir, 'http://127.0.0.1/')
    writeFileSync(join(programs, 'answered'), '')
    expect(await written).toBe(join(dataDir, 'assay-sign-in.html'))
  })
})
