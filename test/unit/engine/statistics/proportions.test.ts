import { describe, expect, test } from 'vitest'
import type { Estimate, Interval } from '../../../../src/engine/statistics/estimate.ts'
import {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
  zeroFailuresUpperBound,
} from '../../../../src/engine/statistics/proportions.ts'

type Method = (successes: number, trials: number, level?: number) => Estimate<Interval>

/** statsmodels 0.15.0 proportion_confint, and scipy 1.17.1 beta quantiles. */
const cases: [string, Method, number, number, number, number, number][] = [
  ['wilson', wilsonInterval, 0, 10, 0.95, 0, 0.2775327999],
  ['wilson', wilsonInterval, 1, 20, 0.95, 0.0088814488, 0.2361311934],
  ['wilson', wilsonInterval, 45, 60, 0.99, 0.5862217415, 0.8639928087],
  ['clopper_pearson', clopperPearsonInterval, 3, 50, 0.95, 0.0125485878, 0.1654819466],
  ['clopper_pearson', clopperPearsonInterval, 10, 10, 0.95, 0.6915028922, 1],
  ['clopper_pearson', clopperPearsonInterval, 70, 100, 0.95, 0.6001853238, 0.7875935795],
  ['agresti_coull', agrestiCoullInterval, 70, 100, 0.95, 0.6038539563, 0.7813486445],
  ['agresti_coull', agrestiCoullInterval, 163, 164, 0.95, 0.9628157232, 1],
  ['jeffreys', jeffreysInterval, 3, 50, 0.95, 0.0171866491, 0.151532563],
  ['jeffreys', jeffreysInterval, 0, 10, 0.95, 0, 0.2171962675],
]

describe('intervals of a proportion', () => {
  test.each(cases)('%s agrees for %#', (method, interval, successes, trials, level, low, high) => {
    const { value } = interval(successes, trials, level)
    expect(value).toMatchObject({ level, method })
    expect(value?.low).toBeCloseTo(low, 8)
    expect(value?.high).toBeCloseTo(high, 8)
  })

  test('are exactly 0 and 1 at the ends', () => {
    for (const interval of [wilsonInterval, clopperPearsonInterval, agrestiCoullInterval, jeffreysInterval]) {
      expect(interval(0, 7).value?.low).toBe(0)
      expect(interval(7, 7).value?.high).toBe(1)
    }
  })

  test('are undefined without trials', () => expect(wilsonInterval(0, 0)).toMatchObject({ value: null, reason: expect.any(String) }))

  test('refuse impossible counts and levels, naming the value', () => {
    expect(() => wilsonInterval(11, 10)).toThrow('successes is 11, more than the 10 trials')
    expect(() => wilsonInterval(1.5, 10)).toThrow('successes is 1.5')
    expect(() => wilsonInterval(1, 10, 95)).toThrow('level is 95')
  })

  test('bound an event that was never seen', () => {
    expect(zeroFailuresUpperBound(59).value).toBeCloseTo(0.0495076099, 9)
    expect(zeroFailuresUpperBound(300).value).toBeCloseTo(1 - 0.05 ** (1 / 300), 14)
    expect(zeroFailuresUpperBound(1_000_000).value).toBeCloseTo(2.9957e-6, 9)
    expect(zeroFailuresUpperBound(0).value).toBeNull()
  })
})
