import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Ways to state a limit of time that is the same on every machine, however slow or busy. */
const fixed = [
  // Also of `expect`, of polls and of programs.
  /\btimeout: [\d_]+(?! \* (?:patience|slowness)\(\))\b/,
  /\btest\.setTimeout\([\d_]+\)/,
  /\bAbortSignal\.timeout\([\d_]+\)/,
  // The last argument of a test or a hook.
  /^ {0,4}\}, [\d_]{4,}\)$/,
]

/** The last argument in a line of its own. */
const lastArgument = /(?<=\},\n) +\d{2,3}_000(?: \+ [^\n*]+(?: \* [\d_]+)?)?,(?=\n *\)\n)/g

const faultsIn = (text: string): string[] => [
  ...text.split('\n').filter(line => fixed.some(pattern => pattern.test(line))),
  ...(text.match(lastArgument) ?? []),
]

test('the rule finds each way to state a fixed limit, and none that grows', () => {
  const stated = ['timeout: 20_000,', 'test.setTimeout(60_000)', 'AbortSignal.timeout(5000)', '}, 120_000)']
  expect(faultsIn(stated.join('\n'))).toEqual(stated)
  for (const limit of ['60_000', '60_000 + kills * 15_000']) expect(faultsIn(`  },\n  ${limit},\n)\n`)).toEqual([`  ${limit},`])
  expect(
    faultsIn(
      'timeout: 20_000 * patience(),\nbusy_timeout: 5000\nsetTimeout(done, 100)\n}, 60_000 * patience())\n},\n  60_000 * patience(),\n)\n',
    ),
  ).toEqual([])
})

/** Test files share the modules of the product, so a mock of one holds only if what loads it is loaded anew. */
const mocksInVain = (text: string): boolean => /\bvi\.(?:doM|m)ock\('[./]+\/src\//.test(text) && !text.includes('vi.resetModules()')

const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(entry => join(entry.parentPath, entry.name))
  .filter(path => path !== fileURLToPath(import.meta.url) && !/^(?:bench|photos)\//.test(relative(root, path)))

test('limits of time in tests grow with the slowness of the machine', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap(path => faultsIn(readFileSync(path, 'utf8')).map(line => `${relative(root, path)}: ${line.trim()}`))).toEqual([])
})

test('a mock of a file of the product holds whatever other test files have loaded', () => {
  const mock = "vi.mock('../../src/service/app.ts', () => ({}))"
  expect([mock, `${mock}\nvi.resetModules()`, "vi.mock('electron', () => ({}))"].map(mocksInVain)).toEqual([true, false, false])
  expect(files.filter(path => mocksInVain(readFileSync(path, 'utf8')))).toEqual([])
})
