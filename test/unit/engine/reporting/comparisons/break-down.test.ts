import { expect, test } from 'vitest'
import { breakDown } from '../../../../../src/engine/reporting/comparisons/break-down.ts'

test('gives every pass/fail part Tango’s interval, also where the whole’s is widened to agree with its test', () => {
  const parts = [
    { value: 'animals', n: 13, lost: 5 },
    { value: 'plants', n: 20, lost: 8 },
  ]
  const rows = parts.flatMap(({ value, n, lost }) => Array.from({ length: n }, (_, i) => ({ value, contender: i < lost ? 0 : 1 })))
  const values = { contender: rows.map(row => row.contender), baseline: rows.map(() => 1), binary: true, clusters: null }
  const tags = rows.map(({ value }) => ({ facets: { topic: value }, capabilities: [] }))
  const found = breakDown(values, tags, 0.95, 1)
  expect(found.map(({ value, interval }) => [value, interval?.method])).toEqual([
    ['animals', 'tango'],
    ['plants', 'tango'],
  ])
  // The exact test of 0 won and 5 lost: p = 0.0625. Tango's interval leaves 0 out, as the score test does.
  expect(found[0]?.test).toBe('mcnemar_exact')
  expect(found[0]?.p).toBeCloseTo(0.0625, 12)
  expect(found[0]?.interval?.low).toBeCloseTo(-0.645, 3)
  expect(found[0]?.interval?.high).toBeCloseTo(-0.069, 3)
})
