import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const file = new URL('../../../src/headless/frugal-process.ts', import.meta.url).href
/** Makes garbage of which some lives on for a while, as a run does, and tells how large the young generation has become. */
const program = `
import { keepHeapSmall, youngBytes } from '${file}'
if (process.argv.includes('small')) keepHeapSmall()
let kept = []
let peak = 0
for (let turn = 0; turn < 1500; turn++) {
  const batch = Array.from({ length: 1000 }, (_, i) => ({ turn, text: 'x' + i, list: [i] }))
  kept.push(batch.slice(0, 100))
  if (kept.length > 400) kept.shift()
  await new Promise(setImmediate)
  peak = Math.max(peak, youngBytes())
}
console.log(peak / 2 ** 20)
process.exit()
`

function peak(nodeArguments: readonly string[], ...args: string[]): number {
  const { stdout, stderr } = spawnSync(process.execPath, [...nodeArguments, '--input-type=module', '-e', program, '--', ...args], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return Number(stdout)
}

test('keeps the young generation of a running process about as small as Node’s switch would', () => {
  const free = peak([])
  const held = peak([], 'small')
  expect(free).toBeGreaterThan(30)
  // It may double before a collection is heard of.
  expect(held).toBeLessThan(free / 2)
  expect(held).toBeGreaterThan(4)
})
