import { expect, test } from 'vitest'
import { createReadCosts } from '../../../src/service/runs/read-costs.ts'

/** @param msOf processor time that the next read takes */
function costsOf(msOf: () => number, isRunExecuted = true) {
  let worked = 0
  const costs = createReadCosts(
    () => isRunExecuted,
    () => worked,
  )
  const read = (rows: number) => costs.measured(rows, () => (worked += msOf()))
  return { costs, read }
}

test('nothing is handed over before it was measured, nor while no run is executed', () => {
  expect(costsOf(() => 5).costs.areHigh(100)).toBe(false)
  const alone = costsOf(() => 5, false)
  alone.read(100)
  expect(alone.costs.areHigh(100)).toBe(false)
})

test('reads that take longer than handing them over are, by their rows', () => {
  const { costs, read } = costsOf(() => 2)
  read(50)
  expect([10, 25, 26, 50].map(costs.areHigh)).toEqual([false, false, true, true])
})

test('one slow moment does not decide for good: a few are measured again, and count', () => {
  let ms = 40
  const { costs, read } = costsOf(() => ms)
  read(50)
  ms = 0.1
  let handedOver = 0
  for (let asked = 0; asked < 3_000; asked++)
    if (costs.areHigh(50)) handedOver++
    else read(50)
  expect(handedOver).toBeGreaterThan(31)
  expect(handedOver).toBeLessThan(1_500)
  expect(costs.areHigh(50)).toBe(false)
})
