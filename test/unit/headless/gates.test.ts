import { describe, expect, test } from 'vitest'
import type { Comparison } from '../../../src/contract/comparisons/comparisons.schemas.ts'
import { RunConfig } from '../../../src/contract/run-config/run-config.schemas.ts'
import type { MetricResult, Results } from '../../../src/contract/runs/results.schemas.ts'
import { exitCodeOfGates, judgeGates, requireMetrics } from '../../../src/headless/client/gates.ts'
import { exitCodeOf } from '../../../src/headless/exit-codes.ts'

interface Figures {
  readonly mean: number | null
  /** Half of the interval's width; null for no interval. */
  readonly half?: number | null
  readonly n?: number
  readonly unscored?: number
  readonly worst?: number
  readonly best?: number
}

const metric = ({ mean, half = 0.01, n = 100, unscored = 0, worst = mean ?? 0, best = mean ?? 1 }: Figures): MetricResult => ({
  profile_id: 'p',
  metric: 'exact',
  title: 'Exact',
  scorer: 'native/exact_match',
  scorer_version: 1,
  primary: true,
  estimate: {
    n,
    mean,
    standard_error: null,
    interval: mean === null || half === null ? null : { low: mean - half, high: mean + half, level: 0.95, method: 'wilson' },
    reason: null,
    cautions: [],
  },
  unscored,
  chance_level: null,
  worst_case: worst,
  best_case: best,
})

/** Only the metrics and the names of their profiles are read without a regression gate. */
const resultsWith = (...metrics: MetricResult[]) => ({ metrics, reproducibility: { profiles: [] } }) as unknown as Results

const gatesOf = (gates: object) =>
  RunConfig.parse({ version: 1, model: 'm', benchmarks: ['b'], gates: { baseline: crypto.randomUUID(), ...gates } }).gates

const quoteOf = (epochs: number) =>
  ({
    profiles: [
      {
        metrics: [
          { id: 'exact', binary: true },
          { id: 'f1', binary: false },
          { id: 'circular', binary: true, aggregation: 'all_of_group' },
        ],
      },
    ],
    execution: { epochs },
  }) as unknown as Parameters<typeof requireMetrics>[0]

const exitOf = (gates: object, metrics: MetricResult[], comparison: Comparison | null = null) =>
  exitCodeOfGates(judgeGates(resultsWith(...metrics), comparison, gatesOf(gates)))

describe('a threshold of 0.8', () => {
  test.each<[string, Figures, number]>([
    ['passes where the lower bound reaches it', { mean: 0.82, half: 0.015 }, 0],
    ['is inconclusive where it lies in the interval, above the mean', { mean: 0.79, half: 0.05 }, 3],
    ['is inconclusive where it lies in the interval, below the mean', { mean: 0.85, half: 0.1 }, 3],
    ['fails where the upper bound is below it', { mean: 0.7, half: 0.05 }, 100],
    ['is inconclusive for one sample', { mean: 1, half: null, n: 1 }, 3],
    ['is inconclusive for fewer tasks than it requires', { mean: 0.95, n: 19 }, 3],
    ['is inconclusive without a score', { mean: null }, 3],
    ['passes with unscored samples that cannot change it', { mean: 0.9, unscored: 1, worst: 0.81, best: 0.95 }, 0],
    ['is inconclusive with unscored samples that could bring it below', { mean: 0.9, unscored: 3, worst: 0.7, best: 0.95 }, 3],
    ['is inconclusive with unscored samples that could bring it above', { mean: 0.7, unscored: 3, worst: 0.5, best: 0.85 }, 3],
    ['fails with unscored samples that cannot save it', { mean: 0.5, unscored: 1, worst: 0.45, best: 0.55 }, 100],
  ])('%s', (_, figures, code) => expect(exitOf({ fail_under: { primary: 0.8 } }, [metric(figures)])).toBe(code))

  test.each<[string, Figures, number]>([
    ['passes by the score alone', { mean: 0.8, half: 0.2, n: 5 }, 0],
    ['fails by the score alone', { mean: 0.79, half: 0.2, n: 5 }, 100],
    ['is inconclusive where an unscored sample could change it', { mean: 0.8, n: 5, unscored: 1, worst: 0.6, best: 0.8 }, 3],
  ])('on fixed tasks %s', (_, figures, code) =>
    expect(exitOf({ fail_under: { primary: 0.8 }, fixed_tasks: true }, [metric(figures)])).toBe(code),
  )

  test('applies to every profile; the worst verdict decides', () => {
    expect(exitOf({ fail_under: { exact: 0.8 } }, [metric({ mean: 0.9 }), metric({ mean: null }), metric({ mean: 0.1 })])).toBe(100)
  })

  test('names the metrics that exist where its own does not', () => {
    const quote = quoteOf(1)
    expect(() => requireMetrics(quote, gatesOf({ fail_under: { primary: 0.5, f1: 0.5 } }))).not.toThrow()
    expect(() => requireMetrics(quote, gatesOf({ fail_under: { bleu: 0.5 } }))).toThrow('"bleu". It has primary, exact, f1, circular.')
    // Of groups of tasks no attempts are counted.
    expect(() => requireMetrics(quoteOf(5), gatesOf({ fail_under: { 'circular.pass_at_5': 0.5 } }))).toThrow('circular.pass_at_5')
    expect(() => requireMetrics(quoteOf(5), gatesOf({ fail_under: { 'exact.pass_at_5': 0.5 } }))).not.toThrow()
  })
})

/** Only what the gate reads of a comparison. */
const compared = (difference: number | null, low: number, high: number, n = 100) =>
  ({
    differences: [
      {
        headline: true,
        title: 'p',
        metric_title: 'Exact',
        n,
        difference,
        interval: difference === null ? null : { low, high, level: 0.95, method: 'tango' },
        wins: 1,
        losses: 2,
        verdict: high < 0 ? 'worse' : 'not_shown',
      },
    ],
  }) as unknown as Comparison

describe('no regression', () => {
  test.each<[string, Comparison | null, object, number]>([
    ['is inconclusive without a comparison', null, {}, 3],
    ['is inconclusive without a difference', compared(null, 0, 0), {}, 3],
    ['passes where the lower bound is within the margin', compared(0, -0.04, 0.04), {}, 0],
    ['passes where a shown drop is within the margin', compared(-0.02, -0.03, -0.01), {}, 0],
    ['is inconclusive where a drop beyond the margin is possible', compared(0, -0.06, 0.06), {}, 3],
    ['is inconclusive at −60 points (−88 to +9)', compared(-0.6, -0.88, 0.09), {}, 3],
    ['is inconclusive on 5 tasks, whatever they show', compared(-0.6, -0.9, -0.2, 5), {}, 3],
    ['fails where a drop is shown that may pass the margin', compared(-0.06, -0.1, -0.02), {}, 100],
    ['takes the stated margin', compared(0, -0.06, 0.06), { margin: 0.1 }, 0],
    ['on fixed tasks fails by the difference alone', compared(-0.6, -0.88, 0.09, 5), { fixed_tasks: true }, 100],
    ['on fixed tasks passes by the difference alone', compared(0, -0.3, 0.3, 5), { fixed_tasks: true, margin: 0 }, 0],
  ])('%s', (_, comparison, gates, code) => expect(exitOf({ no_regression: true, ...gates }, [], comparison)).toBe(code))
})

test.each([
  ['insufficient_credit', 4],
  ['spend_ceiling_reached', 4],
  ['human_approval_required', 4],
  ['validation_error', 2],
  ['result_not_ready', 3],
  ['not_found', 2],
  ['conflict', 1],
])('the refusal %s exits with %d', (code, exit) => expect(exitCodeOf(code)).toBe(exit))

describe('a threshold of several attempts', () => {
  test('is of any number up to the epochs of the run, and of no other', () => {
    const required = (name: string) => () => requireMetrics(quoteOf(37), gatesOf({ fail_under: { [name]: 0.5 } }))
    for (const name of ['exact.pass_hat_1', 'exact.pass_hat_13', 'exact.pass_at_37']) expect(required(name)).not.toThrow()
    expect(required('exact.pass_hat_38')).toThrow('"exact.pass_hat_38" needs 38 attempts at each task, and the run makes 37 (--epochs).')
    for (const name of ['exact.pass_hat_0', 'exact.pass_hat_1.5', 'f1.pass_hat_2', 'other.pass_at_2'])
      expect(required(name)).toThrow(`no benchmark of this run has a metric "${name}"`)
  })

  test('is of the vote of all answers, of which there are three or more', () => {
    const required = (name: string, epochs: number) => () => requireMetrics(quoteOf(epochs), gatesOf({ fail_under: { [name]: 0.5 } }))
    expect(required('exact.majority_5', 5)).not.toThrow()
    expect(required('exact.majority_3', 5)).toThrow(
      'in "exact.majority_3" all answers to a task vote, three or more, and the run makes 5 (--epochs). Write "exact.majority_5".',
    )
    expect(required('exact.majority_2', 2)).toThrow(/three or more, and the run makes 2 \(--epochs\)\.$/)
    expect(required('f1.majority_5', 5)).toThrow('no benchmark of this run has a metric "f1.majority_5"')
    const voted = [metric({ mean: 0.9 }), { ...metric({ mean: 0.4 }), metric: 'exact.majority_5', primary: false }]
    expect(exitOf({ fail_under: { 'exact.majority_5': 0.5 } }, voted)).toBe(exitOf({ fail_under: { primary: 0.95 } }, voted))
    const [verdict] = judgeGates(resultsWith(metric({ mean: 0.9 })), null, gatesOf({ fail_under: { 'exact.majority_5': 0.5 } }))
    expect(verdict).toMatchObject({ verdict: 'unclear', text: expect.stringContaining('of at most 200 characters') })
  })

  test('is judged by that number; of one attempt by the score', () => {
    const all = [metric({ mean: 0.9 }), { ...metric({ mean: 0.4 }), metric: 'exact.pass_hat_13', primary: false }]
    expect(exitOf({ fail_under: { 'exact.pass_hat_13': 0.5 } }, all)).toBe(exitOf({ fail_under: { primary: 0.95 } }, all))
    expect(exitOf({ fail_under: { 'exact.pass_hat_1': 0.5 } }, all)).toBe(0)
  })
})
