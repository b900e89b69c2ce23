import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { patience } from '../../support/machine-speed.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const hooks = new URL('./built-entry/register.ts', import.meta.url).href
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))

/** Of electron-builder, what is used; its own types would bring those of every platform's tools. */
interface Builder {
  build(options: {
    readonly projectDir: string
    readonly targets: unknown
    readonly config: object
    readonly effectiveOptionComputed: (computed: [readonly string[], string] | { desktop: string }) => Promise<boolean>
  }): Promise<string[]>
  readonly Platform: { readonly LINUX: { createTarget(names: readonly string[], arch: number): unknown } }
  readonly Arch: { readonly x64: number }
}

const Configuration = z.looseObject({ directories: z.object({}).optional() })

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

    /** What electron-builder was about to give to the tools that make a deb and an AppImage. */
    const made = { deb: [] as readonly string[], files: new Map<string, string>(), image: null as { desktop: string } | null }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'assay-packed-'))
      writeElectron(join(folder, 'electron'))
      const { build, Platform, Arch } = builder('electron-builder') as Builder
      await build({
        projectDir: root,
        targets: Platform.LINUX.createTarget(['dir', 'deb', 'AppImage'], Arch.x64),
        config: {
          ...Configuration.parse(parse(readFileSync(join(root, 'resources/electron-builder.yml'), 'utf8'))),
          electronDist: join(folder, 'electron'),
          directories: { buildResources: 'resources', output: join(folder, 'out') },
        },
        // fpm and mksquashfs would have to be fetched: everything before them is done, and true leaves them out.
        effectiveOptionComputed: async computed => {
          if (Array.isArray(computed)) {
            made.deb = computed[0]
            // What it has written by then is gone with the build.
            for (const arg of made.deb) {
              const [file = '', target] = arg.split('=')
              if (target !== undefined && /\.(?:desktop|xml)$/.test(file)) made.files.set(target, readFileSync(file, 'utf8'))
            }
          } else made.image = computed
          return true
        },
      })
      archive = join(folder, 'out/linux-unpacked/resources/app.asar')
    }, 240_000 * patience())
    afterAll(() => rm(folder, { recursive: true }))

    test('makes a deb with a maintainer, a homepage, the C library that it needs, icons, types and links', () => {
      const args = made.deb.join('\n')
      expect(args).toContain('--architecture\namd64')
      expect(args).toMatch(/--maintainer\n.* <\S+@\S+>/)
      expect(args).toMatch(/--url\nhttps:/)
      for (const size of [16, 256, 512]) expect(args).toContain(`/usr/share/icons/hicolor/${size}x${size}/apps/assay.png`)
      const desktop = made.files.get('/usr/share/applications/assay.desktop')
      expect(desktop).toContain('Exec=/opt/Assay/assay %U')
      expect(desktop).toMatch(/MimeType=.*application\/x-assay-package.*x-scheme-handler\/assay/)
      expect(made.files.get('/usr/share/mime/packages/assay.xml')).toMatch(/glob pattern="\*\.assay"[\s\S]*glob pattern="\*\.gguf"/)
      expect(readFileSync(join(folder, 'out/linux-unpacked/resources/apparmor-profile'), 'utf8')).toContain('userns')
    })

    test('makes an AppImage that opens the same types and links', () => {
      expect(JSON.stringify(made.image)).toMatch(/x-assay-package.*x-scheme-handler\/assay/)
    })

    test('brings a folder of no more than this beside Electron, with one library of the database', () => {
      const size = (path: string): number =>
        statSync(path).isDirectory() ? readdirSync(path).reduce((sum, name) => sum + size(join(path, name)), 0) : statSync(path).size
      const resources = join(folder, 'out/linux-unpacked/resources')
      // 132 MB before libraries of other systems and unused modules were left out; 20 MB are the picture codec.
      expect(size(resources)).toBeLessThan(105_000_000)
      expect(readdirSync(join(resources, 'app.asar.unpacked/node_modules/better-sqlite3/prebuilds'))).toEqual(['linux-x64.node'])
      expect(readdirSync(join(resources, 'app.asar.unpacked/node_modules/@img')).toSorted()).toEqual([
        'colour',
        'sharp-libvips-linux-x64',
        'sharp-linux-x64',
      ])
    })

    test('lists what it holds: nothing of the project but the built app, its resources and its license', () => {
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

    test('starts from what it holds, and serves its page', async () => {
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
