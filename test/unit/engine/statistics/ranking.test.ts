import { describe, expect, test } from 'vitest'
import { beatProbability, bradleyTerry, strengthDifferenceError } from '../../../../src/engine/statistics/bradley-terry.ts'
import { eloExpected, eloUpdate } from '../../../../src/engine/statistics/elo.ts'

describe('bradleyTerry', () => {
  test('has strengths, errors and Elo points', () => {
    const { fit } = bradleyTerry([
      [0, 7, 9],
      [3, 0, 6],
      [1, 4, 0],
    ])
    expect(fit?.logStrengths).toEqual([0.9436058499, -0.1601606972, -0.7834451527].map(value => expect.closeTo(value, 8)))
    expect(fit?.standardErrors).toEqual([0.3772066005, 0.3282506778, 0.3581457013].map(value => expect.closeTo(value, 8)))
    expect(fit?.eloScale[0]).toBeCloseTo(1163.9211254881, 5)
    expect(fit && strengthDifferenceError(fit, 0, 1)).toBeCloseTo(0.6097526633, 8)
    expect(fit && beatProbability(fit.logStrengths[0] ?? 0, fit.logStrengths[1] ?? 0)).toBeCloseTo(0.7509651776, 8)
  })

  test('is the log odds for two models, ties as half a win each', () => {
    const { fit } = bradleyTerry([
      [0, 5.5],
      [4.5, 0],
    ])
    expect(fit?.logStrengths[0]).toBeCloseTo(Math.log(5.5 / 4.5) / 2, 12)
  })

  test('stays exact for lopsided and chained comparisons', () => {
    const wins = [
      [0, 99_999, 0, 0],
      [1, 0, 9999, 0],
      [0, 1, 0, 999],
      [0, 0, 1, 0],
    ]
    const { fit } = bradleyTerry(wins)
    const gaps = [0, 1, 2].map(i => (fit?.logStrengths[i] ?? 0) - (fit?.logStrengths[i + 1] ?? 0))
    expect(gaps).toEqual([99_999, 9999, 999].map(odds => expect.closeTo(Math.log(odds), 7)))
  })

  test('has no finite strengths unless all are connected both ways, and some with a prior', () => {
    const wins = [
      [0, 5, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]
    expect(bradleyTerry(wins)).toMatchObject({ fit: null, reason: expect.stringContaining('strongly connected') })
    const { fit } = bradleyTerry(wins, { prior: 0.5 })
    expect(fit?.logStrengths[0]).toBeGreaterThan(fit?.logStrengths[1] ?? 0)
    expect(bradleyTerry([[0]])).toMatchObject({ fit: null })
  })
})

describe('Elo', () => {
  test('moves both ratings by the same step', () => {
    const { expectedA, ratingA, ratingB } = eloUpdate(1600, 1400, 0)
    expect(expectedA).toBeCloseTo(0.7597469266, 9)
    expect(ratingA).toBeCloseTo(1575.6880983472654, 9)
    expect(ratingA + ratingB).toBeCloseTo(3000, 9)
    expect(eloExpected(1500, 1500)).toBe(0.5)
  })
})
