import { expect, test } from 'vitest'
import { describeP, formatP, formatProbability } from '../../../../src/lib/format/p-values.ts'

test('p-values never read as 0 or 1', () => {
  expect([null, 0, 0.00099, 0.001, 0.0123, 0.999, 0.9996, 1].map(formatP)).toEqual([
    '–',
    '< 0.001',
    '< 0.001',
    '0.001',
    '0.012',
    '0.999',
    '> 0.999',
    '> 0.999',
  ])
  expect([0.0001, 0.05].map(describeP)).toEqual(['p < 0.001', 'p = 0.050'])
})

test('probabilities never read as impossible or certain', () => {
  expect([null, 0, 0.0009, 0.5, 0.9995, 1].map(formatProbability)).toEqual(['–', '< 0.1 %', '< 0.1 %', '50.0 %', '> 99.9 %', '> 99.9 %'])
})
