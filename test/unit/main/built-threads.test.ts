import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importsAtOnce } from '../../architecture/parse-module.ts'

const folder = fileURLToPath(new URL('../../../out/main', import.meta.url))
const threads = join(folder, 'workers')

interface Chunk {
  readonly text: string
  readonly imports: readonly string[]
}
const chunks = new Map<string, Chunk>()

function chunkAt(path: string): Chunk {
  const known = chunks.get(path)
  if (known) return known
  const text = readFileSync(path, 'utf8')
  const imports = importsAtOnce(path, text)
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target }) => join(path, '..', target))
  const chunk = { text, imports }
  chunks.set(path, chunk)
  return chunk
}

/** The built modules that a thread evaluates before its first task. */
function evaluated(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const target of chunkAt(path).imports) evaluated(target, seen)
  return seen
}

const declaresOperations = (path: string) => /["'`]\/v1\/traces["'`]/.test(chunkAt(path).text)

// Making every schema of the contract takes a thread 12 MB and half a second of a slow machine, each time it begins.
describe.skipIf(!existsSync(threads))('a built program (needs "npm run build" first)', () => {
  test.each(readdirSync(existsSync(threads) ? threads : folder).filter(name => name.endsWith('.worker.js')))(
    '%s makes no schema of the service’s operations',
    name => {
      expect([...evaluated(join(threads, name))].filter(declaresOperations)).toEqual([])
    },
  )

  test('tells a thread apart from the service, which makes them all', () => {
    const built = readdirSync(folder).filter(name => name.endsWith('.js'))
    expect(built.filter(name => readFileSync(join(folder, name), 'utf8').includes('/v1/traces'))).not.toEqual([])
  })

  // Each file that a start finds, opens and links takes a millisecond or two: in 147 of them it took a seventh longer.
  test('leaves the service few files to read at its start', () => {
    const serve = readdirSync(folder).filter(name => /^serve-[\w-]+\.js$/.test(name))
    expect(serve).not.toEqual([])
    for (const file of serve) expect([...evaluated(join(folder, file))].length).toBeLessThanOrEqual(10)
  })

  test('gives Electron’s main process one file, in which there is nothing of the service', () => {
    const index = join(folder, 'index.js')
    expect(
      importsAtOnce(index, readFileSync(index, 'utf8'))
        .map(({ target }) => target)
        .filter(target => !target.startsWith('node:')),
    ).toEqual(['electron'])
    expect(readFileSync(index, 'utf8')).not.toContain('better-sqlite3')
  })

  test('gives the command line nothing of the desktop app', () => {
    const entries = ['headless.js', 'installed.js'].map(name => join(folder, name))
    const loadable = new Set<string>()
    const follow = (path: string): void => {
      if (loadable.has(path) || !existsSync(path)) return
      loadable.add(path)
      for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(/["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g))
        follow(join(path, '..', target))
    }
    for (const entry of entries) follow(entry)
    expect(loadable.size).toBeGreaterThan(10)
    expect(
      [...loadable].filter(path => /(?:from|import|require\()\s*["']electron(?:-store)?["']/.test(readFileSync(path, 'utf8'))),
    ).toEqual([])
    expect([...loadable].map(path => relative(folder, path))).not.toContain('index.js')
  })
})
