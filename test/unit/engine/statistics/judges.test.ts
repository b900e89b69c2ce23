import { describe, expect, test } from 'vitest'
import { correctJudgeRate } from '../../../../src/engine/statistics/judge-correction.ts'
import { ppiMean } from '../../../../src/engine/statistics/ppi.ts'

describe('correctJudgeRate', () => {
  const judged = { judgeRate: 0.62, n: 500, sensitivity: 0.9, positives: 100, specificity: 0.85, negatives: 100 }

  test('corrects the rate and widens the interval by the error of the judge', () => {
    const found = correctJudgeRate(judged)
    expect(found.rate).toBeCloseTo(0.6266666667, 9)
    expect(found.standardError).toBeCloseTo(0.0422131452, 9)
    expect(found.interval?.low).toBeCloseTo(0.5443632978, 9)
    expect(found.interval?.high).toBeCloseTo(0.7145934483, 9)
  })

  test('cuts a rate outside 0 to 1 and warns', () => {
    const found = correctJudgeRate({ judgeRate: 0.1, n: 400, sensitivity: 0.9, positives: 50, specificity: 0.85, negatives: 50 })
    expect(found.raw).toBeCloseTo(-0.0666666667, 9)
    expect(found).toMatchObject({ rate: 0, cautions: [expect.stringContaining('outside 0 to 1')] })
    expect(found.interval?.high).toBeCloseTo(0.0509064563, 9)
  })

  test('refuses a judge that carries no information, or whose error is unknown', () => {
    expect(correctJudgeRate({ ...judged, sensitivity: 0.5, specificity: 0.5 })).toMatchObject({
      rate: null,
      reason: expect.stringContaining('no information'),
    })
    expect(correctJudgeRate({ ...judged, negatives: 0 })).toMatchObject({
      rate: null,
      interval: null,
      reason: expect.stringContaining('unknown'),
    })
  })

  test('drops the interval where few labels leave nothing to stand on', () => {
    const found = correctJudgeRate({ ...judged, sensitivity: 1, positives: 1, specificity: 0.25, negatives: 4 })
    expect(found.rate).not.toBeNull()
    expect(found).toMatchObject({ interval: null, reason: expect.any(String) })
  })
})

describe('ppiMean', () => {
  const human = [0.9, 0.2, 0.6, 0.8, 0.1, 0.7]
  const judgeOnLabeled = [0.8, 0.3, 0.5, 0.9, 0.2, 0.6]
  const judgeOnUnlabeled = [0.7, 0.6, 0.9, 0.1, 0.4, 0.8, 0.3, 0.75, 0.5, 0.65, 0.2, 0.55]

  test('tunes the weight of the judge', () => {
    const found = ppiMean({ human, judgeOnLabeled, judgeOnUnlabeled })
    expect(found.lambda).toBeCloseTo(0.7672905881, 9)
    expect(found.estimate).toBeCloseTo(0.5404088676, 9)
    expect(found.standardError).toBeCloseTo(0.0749599234, 9)
    expect(found.interval?.low).toBeCloseTo(0.3934901175, 9)
  })

  test('accepts a given weight', () => {
    const found = ppiMean({ human, judgeOnLabeled, judgeOnUnlabeled }, { lambda: 1 })
    expect(found.estimate).toBeCloseTo(0.5375, 12)
    expect(found.standardError).toBeCloseTo(0.0795222, 6)
  })

  test('ignores a judge that never varies', () => {
    const found = ppiMean({ human, judgeOnLabeled: [1, 1, 1, 1, 1, 1], judgeOnUnlabeled: [1, 1, 1] })
    expect(found.lambda).toBe(0)
    expect(found.estimate).toBeCloseTo(0.55, 12)
  })

  test('is undefined without labels and has no error for one label', () => {
    expect(ppiMean({ human: [], judgeOnLabeled: [], judgeOnUnlabeled })).toMatchObject({
      estimate: null,
      reason: 'There are no human scores.',
    })
    expect(ppiMean({ human: [1], judgeOnLabeled: [0.5], judgeOnUnlabeled })).toMatchObject({ standardError: null, interval: null })
  })
})
