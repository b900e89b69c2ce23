import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLogFile } from '../../../src/service/lifecycle/log-file.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'logs', 'service.log')
})
afterEach(() => {
  vi.useRealTimers()
  folder.remove()
})

const line = (i: number) => `${JSON.stringify({ i, text: 'x'.repeat(80) })}\n`
const numbersIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(text => (JSON.parse(text) as { i: number }).i) // lines of this test's own making

test('closing writes what waits, and only its owner may read it', () => {
  const log = openLogFile(path)
  for (let i = 0; i < 3; i++) log.write(line(i))
  log.close()
  expect(numbersIn(path)).toEqual([0, 1, 2])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('what waits is written within half a second', () => {
  vi.useFakeTimers()
  const log = openLogFile(path)
  log.write(line(1))
  expect(existsSync(path)).toBe(false)
  vi.advanceTimersByTime(500)
  expect(numbersIn(path)).toEqual([1])
  log.close()
})

test('full files are set aside, so many and no more, and no line is lost or cut between them', () => {
  const log = openLogFile(path, { maxBytes: 50_000, kept: 2 })
  for (let i = 0; i < 3000; i++) log.write(line(i))
  log.close()
  const files = readdirSync(join(folder.path, 'logs')).sort()
  expect(files).toEqual(['service.log', 'service.log.1', 'service.log.2'])
  for (const name of files) expect(statSync(join(folder.path, 'logs', name)).size).toBeLessThanOrEqual(50_000)
  const numbers = [2, 1].flatMap(i => numbersIn(`${path}.${i}`)).concat(numbersIn(path))
  expect(numbers.at(-1)).toBe(2999)
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i))
})

test('appends where an earlier process stopped', () => {
  for (const i of [1, 2]) {
    const log = openLogFile(path)
    log.write(line(i))
    log.close()
  }
  expect(numbersIn(path)).toEqual([1, 2])
})

test('an unwritable log blocks nothing, and the loss is logged once it is writable', () => {
  // A folder stands where the file should be, which stops root, too.
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o700)
  const log = openLogFile(path)
  for (let i = 0; i < 400; i++) log.write(line(i))
  rmSync(path, { recursive: true })
  for (let i = 400; i < 800; i++) log.write(line(i))
  log.close()
  const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n')
  const { dropped, msg } = JSON.parse(first) as { dropped: number; msg: string } // the note that the file writes itself
  expect(msg).toBe('log lines were lost')
  expect(JSON.parse(second)).toMatchObject({ i: dropped })
})
