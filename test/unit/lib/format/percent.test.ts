import { describe, expect, test } from 'vitest'
import {
  formatDifference,
  formatDifferenceInterval,
  formatEstimate,
  formatEstimates,
  formatInterval,
  formatLevels,
  formatPercent,
  formatScore,
} from '../../../../src/lib/format/percent.ts'

describe('formatPercent', () => {
  test.each([
    [0.5633, '56.3 %'],
    [0, '0.0 %'],
    [1, '100.0 %'],
    [-0.0001, '0.0 %'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('%s is %s', (fraction, text) => {
    expect(formatPercent(fraction)).toBe(text)
  })

  test('takes other decimals', () => {
    expect(formatPercent(0.5633, 0)).toBe('56 %')
  })
})

describe('a score with its interval', () => {
  test('reads as plus-minus where both sides are equal to the digit shown', () => {
    const wilson = { mean: 0.5633, interval: { low: 0.5364, high: 0.5899 }, n: 1319 }
    expect(formatEstimate(wilson)).toBe('56.3 % ± 2.7 (n = 1,319)')
    expect(formatScore(wilson)).toBe('56.3 % ± 2.7')
    expect(formatInterval(wilson.interval)).toBe('53.6 to 59.0 %')
  })

  test('shows both ends where the interval is lopsided, as near 0 and 100 %', () => {
    expect(formatEstimate({ mean: 0.98, interval: { low: 0.93, high: 0.9945 }, n: 100 })).toBe('98.0 % [93.0, 99.5] (n = 100)')
    expect(formatEstimate({ mean: 0, interval: { low: 0, high: 0.161 }, n: 20 })).toBe('0.0 % [0.0, 16.1] (n = 20)')
  })

  test('takes one form for estimates that are read one under another', () => {
    const even = { mean: 0.5, interval: { low: 0.473, high: 0.527 }, n: 1319 }
    expect(formatEstimates([even, { mean: 0.98, interval: { low: 0.93, high: 0.9945 }, n: 100 }])).toEqual([
      '50.0 % [47.3, 52.7] (n = 1,319)',
      '98.0 % [93.0, 99.5] (n = 100)',
    ])
    expect(formatEstimates([even, { mean: null, interval: null, n: 0 }])).toEqual(['50.0 % ± 2.7 (n = 1,319)', 'no score (n = 0)'])
  })

  test('never rounds a half width to a narrower claim by taking the shorter side', () => {
    expect(formatScore({ mean: 0.5, interval: { low: 0.4735, high: 0.5261 } })).toBe('50.0 % ± 2.7')
  })

  test('says so when there is no score or no interval', () => {
    expect(formatEstimate({ mean: null, interval: null, n: 0 })).toBe('no score (n = 0)')
    expect(formatEstimate({ mean: 1, interval: null, n: 1 })).toBe('100.0 % (n = 1)')
    expect(formatInterval(null)).toBe('–')
    expect(formatScore({ mean: 0.5, interval: { low: Number.NaN, high: 1 } })).toBe('50.0 %')
  })
})

describe('differences', () => {
  test.each([
    [0.031, '+3.1 points'],
    [-0.031, '−3.1 points'],
    [0, '0.0 points'],
    [0.0001, '0.0 points'],
    [null, '–'],
  ])('%s is %s', (difference, text) => {
    expect(formatDifference(difference)).toBe(text)
  })

  test('carry the sign at both ends of the interval', () => {
    expect(formatDifferenceInterval({ mean: 0.031, interval: { low: -0.008, high: 0.054 } })).toBe('+3.1 points [−0.8, +5.4]')
    expect(formatDifferenceInterval({ mean: 0.031, interval: null })).toBe('+3.1 points')
  })
})

test('levels are listed as a sentence lists them', () => {
  expect(formatLevels([0.975, 0.95, 0.95])).toBe('95 % and 97.5 %')
  expect(formatLevels([0.98333, 0.975, 0.95])).toBe('95 %, 97.5 % and 98.33 %')
})
