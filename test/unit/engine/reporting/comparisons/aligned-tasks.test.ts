import fc from 'fast-check'
import { expect, test } from 'vitest'
import { taskChanges } from '../../../../../src/contract/comparisons/comparisons.schemas.ts'
import {
  type AlignedTasks,
  changeOf,
  packAlignedTasks,
  unpackAlignedTasks,
} from '../../../../../src/engine/reporting/comparisons/aligned-tasks.ts'

const tasks = fc.record({ count: fc.nat({ max: 50 }), runs: fc.integer({ min: 2, max: 10 }) }).chain(({ count, runs }) => {
  const column = <T extends ArrayLike<number>>(from: (values: number[]) => T, value: fc.Arbitrary<number>) =>
    fc.array(value, { minLength: count, maxLength: count }).map(from)
  const columns = <T extends ArrayLike<number>>(n: number, from: (values: number[]) => T, value: fc.Arbitrary<number>) =>
    fc.array(column(from, value), { minLength: n, maxLength: n })
  const byte = fc.integer({ min: 0, max: 255 })
  return fc.record({
    count: fc.constant(count),
    taskNo: column(values => Uint32Array.from(values), fc.nat({ max: 2 ** 32 - 1 })),
    profile: column(values => Uint8Array.from(values), byte),
    values: columns(runs, values => Float64Array.from(values), fc.double()),
    positions: columns(runs, values => Int32Array.from(values), fc.integer({ min: -1, max: 2 ** 31 - 1 })),
    statuses: columns(runs, values => Uint8Array.from(values), byte),
    changes: columns(runs - 1, values => Uint8Array.from(values), byte),
  })
})

test('what is packed is unpacked', () => {
  fc.assert(
    fc.property(tasks, (given: AlignedTasks) => {
      expect(unpackAlignedTasks(packAlignedTasks(given))).toEqual(given)
    }),
  )
})

test('a column of changes too few is refused', () => {
  const one = {
    count: 0,
    taskNo: new Uint32Array(),
    profile: new Uint8Array(),
    values: [new Float64Array()],
    positions: [],
    statuses: [],
    changes: [new Uint8Array()],
  }
  expect(() => packAlignedTasks(one)).toThrow(RangeError)
})

test.each([
  [0.5, 0, 'gained'],
  [-0.5, 1, 'lost'],
  [0, 1, 'both_passed'],
  [0, 0.5, 'both_failed'],
  [null, 0, 'not_compared'],
] as const)('a difference of %s from %s is %s', (difference, baseline, expected) => {
  expect(taskChanges[changeOf(difference, baseline)]).toBe(expected)
})
