import { describe, expect, test } from 'vitest'
import { wilsonBand } from '../../../src/charts/wilson-band.ts'

describe('wilsonBand', () => {
  // Reference values: statsmodels 0.15.0, proportion_confint(method='wilson').
  test.each([
    [0, 10, 0, 0.27753279986288926],
    [10, 10, 0.7224672001371106, 1],
    [70, 100, 0.6041514536665332, 0.7810511470506724],
    [163, 164, 0.9662737492602963, 0.9989228186095372],
  ])('%d of %d is %d to %d', (k, n, low, high) => {
    const band = wilsonBand(k / n, n)
    expect(band?.low).toBeCloseTo(low, 9)
    expect(band?.high).toBeCloseTo(high, 9)
  })

  test.each([
    [0.5, 0],
    [0.5, -1],
    [Number.NaN, 10],
    [1.5, 10],
  ])('is null for a mean of %d over %d', (mean, n) => {
    expect(wilsonBand(mean, n)).toBeNull()
  })
})
