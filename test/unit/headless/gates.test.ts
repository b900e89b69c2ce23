import { describe, expect, it } from 'vitest'
import type { MetricResult, Results } from '../../../src/contract/index.ts'
import { exitCodeOfGates, judgeGates } from '../../../src/headless/client/gates.ts'
import { exitCodeOf } from '../../../src/headless/exit-codes.ts'

const metric = (mean: number | null, unscored = 0, worst: number | null = mean, best: number | null = mean): MetricResult => ({
  profile_id: 'p',
  metric: 'exact',
  title: 'Exact',
  scorer: 'native/exact_match',
  scorer_version: 1,
  primary: true,
  estimate: { n: 10, mean, standard_error: null, interval: null, reason: null, cautions: [] },
  unscored,
  chance_level: null,
  worst_case: worst,
  best_case: best,
})

/** Only the metrics and the names of their profiles are read without a regression gate. */
const resultsWith = (...metrics: MetricResult[]) => ({ metrics, reproducibility: { profiles: [] } }) as unknown as Results

describe('a threshold', () => {
  it.each([
    ['a score at it', metric(0.8), 0],
    ['a score below it', metric(0.79), 100],
    ['no score', metric(null), 3],
    ['unscored samples that cannot change it', metric(0.9, 1, 0.81, 0.95), 0],
    ['unscored samples that could bring it below', metric(0.9, 3, 0.7, 0.95), 3],
    ['unscored samples that could bring it above', metric(0.7, 3, 0.5, 0.85), 3],
    ['unscored samples that cannot save it', metric(0.5, 1, 0.45, 0.55), 100],
  ])('of 0.8 with %s', (_, result, code) => {
    const verdicts = judgeGates(resultsWith(result), null, { fail_under: { primary: 0.8 }, no_regression: false })
    expect(exitCodeOfGates(verdicts)).toBe(code)
  })

  it('applies to every profile; the worst verdict decides', () => {
    const gates = { fail_under: { exact: 0.8 }, no_regression: false }
    expect(exitCodeOfGates(judgeGates(resultsWith(metric(0.9), metric(null), metric(0.1)), null, gates))).toBe(100)
  })
})

it('has no verdict on a regression without a comparison', () => {
  expect(exitCodeOfGates(judgeGates(resultsWith(metric(1)), null, { no_regression: true }))).toBe(3)
})

it.each([
  ['insufficient_credit', 4],
  ['spend_ceiling_reached', 4],
  ['human_approval_required', 4],
  ['validation_error', 2],
  ['result_not_ready', 3],
  ['not_found', 1],
])('the refusal %s exits with %d', (code, exit) => expect(exitCodeOf(code)).toBe(exit))
