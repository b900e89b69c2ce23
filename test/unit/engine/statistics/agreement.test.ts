import { describe, expect, test } from 'vitest'
import { correlations } from '../../../../src/engine/statistics/correlations.ts'
import { fleissKappa } from '../../../../src/engine/statistics/fleiss.ts'
import { cohenKappa, ratingTable } from '../../../../src/engine/statistics/kappa.ts'
import { krippendorffAlpha } from '../../../../src/engine/statistics/krippendorff.ts'

describe("Cohen's kappa", () => {
  test('has both standard errors, the interval and AC1', () => {
    const found = cohenKappa([
      [20, 5],
      [10, 15],
    ])
    expect(found.kappa).toBeCloseTo(0.4, 12)
    expect(found.standardError).toBeCloseTo(0.1269960629, 9)
    expect(found.standardErrorNull).toBeCloseTo(0.1385640646, 9)
    expect(found.interval?.low).toBeCloseTo(0.1510922905, 9)
    expect(found.gwetAc1).toBeCloseTo(0.4059405941, 9)
    expect(found.prevalence).toEqual([expect.closeTo(0.55, 12), expect.closeTo(0.45, 12)])
  })

  test('weighs ordered categories', () => {
    const table = [
      [11, 3, 1],
      [2, 9, 4],
      [0, 3, 12],
    ]
    expect(cohenKappa(table, 'linear').kappa).toBeCloseTo(0.65, 12)
    expect(cohenKappa(table, 'quadratic').kappa).toBeCloseTo(0.7333333333, 9)
    expect(cohenKappa(table).kappa).toBeCloseTo(0.5666666667, 9)
  })

  test('is low under a dominant class where AC1 is not', () => {
    const found = cohenKappa([
      [118, 5],
      [2, 0],
    ])
    expect(found.kappa).toBeCloseTo(-0.0233918, 6)
    expect(found.gwetAc1).toBeCloseTo(0.940776, 6)
  })

  test('is undefined for one class, and has no interval at full agreement', () => {
    const one = cohenKappa([
      [10, 0],
      [0, 0],
    ])
    expect(one).toMatchObject({ kappa: null, agreement: 1, reason: expect.stringContaining('one class') })
    const full = cohenKappa([
      [5, 0],
      [0, 5],
    ])
    expect(full).toMatchObject({ kappa: 1, standardError: 0, interval: null, reason: expect.any(String) })
  })

  test('takes labels', () => {
    const { labels, table } = ratingTable(['b', 'a', 'a'], ['b', 'b', 'a'])
    expect(labels).toEqual(['a', 'b'])
    expect(table).toEqual([
      [1, 1],
      [0, 1],
    ])
    expect(() => ratingTable(['a'], [])).toThrow('1 and 0 labels')
  })

  test('refuses a table that is not square', () => expect(() => cohenKappa([[1, 2]])).toThrow('square'))
})

describe("Fleiss' kappa", () => {
  test('reproduces the 0.210 of Fleiss 1971', () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ]
    expect(fleissKappa(counts).value).toBeCloseTo(0.2099307044, 9)
  })

  test('is undefined for one class and refuses uneven raters', () => {
    expect(
      fleissKappa([
        [3, 0],
        [3, 0],
      ]),
    ).toMatchObject({ value: null, reason: expect.stringContaining('one class') })
    expect(() =>
      fleissKappa([
        [3, 0],
        [1, 1],
      ]),
    ).toThrow('item 1 has 2 ratings')
  })
})

describe("Krippendorff's alpha", () => {
  const units = [
    [1, 1, null, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [null, 5, 5, 5],
    [null, null, 1, 1],
    [null, 3, null, null],
  ]

  test.each([
    ['nominal', 0.743],
    ['ordinal', 0.815],
    ['interval', 0.849],
    ['ratio', 0.797],
  ] as const)('reproduces the published %s value', (level, alpha) => {
    expect(krippendorffAlpha(units, level)).toMatchObject({ alpha: expect.closeTo(alpha, 3), pairableUnits: 11, cautions: [] })
  })

  test('is 1 without variation, with a caution, and undefined without pairs', () => {
    expect(
      krippendorffAlpha(
        [
          [1, 1],
          [1, 1],
        ],
        'nominal',
      ),
    ).toMatchObject({ alpha: 1, cautions: [expect.stringContaining('says nothing')] })
    expect(krippendorffAlpha([[1, null], [2]], 'nominal')).toMatchObject({ alpha: null, reason: expect.any(String) })
  })
})

describe('correlations', () => {
  test('agrees with scipy, ties included', () => {
    const found = correlations([1, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 4])
    expect(found.pearson).toBeCloseTo(0.9090909091, 9)
    expect(found.pearsonInterval?.low).toBeCloseTo(0.3719424115, 9)
    expect(found.spearman).toBeCloseTo(0.9090909091, 9)
    expect(found.kendallTauB).toBeCloseTo(0.8461538462, 9)
  })

  test('agrees with scipy on sixty items with many ties', () => {
    const x = '533110001435335433351440253044510503012220000433134225452453'.split('').map(Number)
    const y = [
      7, 4, 4, 0, 3, -2, 0, 1, 3, 4, 2, 4, 3, 3, 6, 6, 1, 5, 3, 4, 2, 4, 3, -1, 3, 5, 3, -1, 5, 3, 4, 3, -1, 4, 1, 4, -2, -1, 1, 4, 2, 1,
      -1, -1, 1, 6, 1, 1, 2, 2, 4, 0, 4, 5, 6, 6, 3, 3, 6, 1,
    ]
    const found = correlations(x, y)
    expect(found.pearson).toBeCloseTo(0.81331796, 8)
    expect(found.pearsonInterval?.high).toBeCloseTo(0.8845616458, 9)
    expect(found.spearman).toBeCloseTo(0.8196696049, 9)
    expect(found.kendallTauB).toBeCloseTo(0.6932331597, 9)
  })

  test('has no interval on a straight line or for three items, and nothing without variation', () => {
    expect(correlations([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])).toMatchObject({
      pearson: expect.closeTo(1, 14),
      pearsonInterval: null,
      kendallTauB: 1,
    })
    expect(correlations([1, 2, 3], [1, 3, 2]).pearsonInterval).toBeNull()
    expect(correlations([1, 1, 1], [1, 2, 3])).toMatchObject({ pearson: null, spearman: null, reason: expect.any(String) })
  })
})
