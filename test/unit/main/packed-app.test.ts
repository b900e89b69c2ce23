import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../support/machine-speed.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const hooks = new URL('./built-entry/register.ts', import.meta.url).href
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))

interface Asar {
  listPackage(archive: string, options: { readonly isPack: boolean }): string[]
  extractAll(archive: string, to: string): void
}

/** What electron-builder takes for Electron: its fuses are found by the text before them, and everything else is copied. */
function writeElectron(folder: string): void {
  mkdirSync(join(folder, 'locales'), { recursive: true })
  mkdirSync(join(folder, 'resources'))
  const fuses = [Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), Buffer.from([1, 9]), Buffer.from('1'.repeat(9))]
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.alloc(64), ...fuses, Buffer.alloc(64)]), { mode: 0o755 })
  for (const name of ['version', 'chrome-sandbox', 'LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak'])
    writeFileSync(join(folder, name), '')
}

describe.skipIf(process.env['ASSAY_PACKED'] === undefined)(
  'the app as electron-builder packs it, Electron played by a stand-in (run by "npm run test:packed" after "npm run build")',
  () => {
    let folder: string
    let archive: string
    // It has no types.
    const asar = createRequire(builder.resolve('app-builder-lib/package.json'))('@electron/asar') as Asar

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'assay-packed-'))
      writeElectron(join(folder, 'electron'))
      const args = ['--linux', 'dir', '--config', 'resources/electron-builder.yml', `-c.electronDist=${join(folder, 'electron')}`]
      const cli = builder.resolve('electron-builder/cli.js')
      await promisify(execFile)(process.execPath, [cli, ...args, `-c.directories.output=${join(folder, 'out')}`], { cwd: root })
      archive = join(folder, 'out/linux-unpacked/resources/app.asar')
    }, 240_000 * patience())
    afterAll(() => rm(folder, { recursive: true }))

    it('lists what it holds: nothing of the project but the built app, its resources and its license', () => {
      const list = asar.listPackage(archive, { isPack: true }).map(line => line.split(' : '))
      const tops = new Set(list.map(([, path = '']) => path.split('/')[1] ?? ''))
      expect([...tops].toSorted()).toEqual(['LICENSE', 'node_modules', 'out', 'package.json', 'resources'])
      const beside = list.filter(([kind]) => kind?.trim() === 'unpack').map(([, path]) => path)
      expect(beside).toEqual(
        expect.arrayContaining([
          '/node_modules/better-sqlite3/prebuilds/linux-x64.node',
          '/node_modules/pyodide/pyodide.asm.wasm',
          '/out/main/workers/sandbox-relay.worker.js',
          '/resources/sandbox/linux.py',
        ]),
      )
    })

    it('starts from what it holds, and serves its page', async () => {
      const app = join(folder, 'app')
      asar.extractAll(archive, app)
      expect(existsSync(join(app, 'src'))).toBe(false)
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', hooks, join(app, 'out/main/index.js'), '--data-dir', join(folder, 'data'), '--port', '0'],
        { env: { ...process.env, ASSAY_TEST_PROFILE: folder }, timeout: 100_000 * patience() },
      )
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
        page: [200, expect.stringContaining('text/html')],
        signedIn: 200,
        stranger: 401,
      })
      expect(readdirSync(join(folder, 'data'))).toContain('assay.db')
    })
  },
)
