import { describe, expect, test } from 'vitest'
import { attemptsPlot, quotedMetrics } from '../../../../../src/charts/attempts-plot.ts'
import { createMetricTally } from '../../../../../src/engine/reporting/results/metric-tally.ts'
import { summarizeSamples } from '../../../../../src/engine/reporting/results/run-results.ts'
import type { ResultSample } from '../../../../../src/engine/reporting/results/result-sample.ts'
import { fixtureResults, fixtureSamples } from '../report/run-fixture.ts'

/** Tasks by the verdicts of their attempts; null has none, undefined ended without a score. */
type Verdicts = readonly (0 | 1 | null | undefined)[]

function repeated(tasks: readonly Verdicts[], epochs: number, binary = true) {
  const tally = createMetricTally(binary)
  for (const [task, verdicts] of tasks.entries()) {
    for (const verdict of verdicts) {
      if (verdict === undefined) tally.miss(`t${task}`)
      else tally.add(`t${task}`, verdict)
    }
  }
  return tally.repeated(epochs)
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 1e9) / 1e9)

const figures = (tasks: readonly Verdicts[], epochs: number) =>
  repeated(tasks, epochs).map(({ kind, k, estimate }) => [kind, k, estimate.n, rounded(estimate.mean), estimate.interval?.method ?? null])

describe('pass@k and pass^k of a run', () => {
  test('are the unbiased estimates of each task, averaged over tasks', () => {
    // Of 5 attempts 1 and 4 pass: 1 - C(4,2)/C(5,2) = 0.4, 1 - C(1,2)/C(5,2) = 1; C(1,2) = 0, C(4,2)/C(5,2) = 0.6.
    const tasks: Verdicts[] = [
      [1, 0, 0, 0, 0],
      [1, 1, 0, 1, 1],
    ]
    expect(figures(tasks, 5)).toEqual([
      ['pass_at_k', 2, 2, 0.7, 'wilson_cr1'],
      ['pass_hat_k', 2, 2, 0.3, 'wilson_cr1'],
      ['pass_at_k', 3, 2, 0.8, 'wilson_cr1'],
      ['pass_hat_k', 3, 2, 0.2, 'wilson_cr1'],
      ['pass_at_k', 4, 2, 0.9, 'wilson_cr1'],
      ['pass_hat_k', 4, 2, 0.1, 'wilson_cr1'],
      ['pass_at_k', 5, 2, 1, 'wilson_clusters'],
      ['pass_hat_k', 5, 2, 0, 'wilson_clusters'],
    ])
    // The spread of 0.4 and 1 over two tasks, whatever the number of attempts: sd / sqrt(2).
    expect(repeated(tasks, 5)[0]?.estimate.standard_error).toBeCloseTo(0.3, 12)
  })

  test('have intervals of one method that stay within 0 and 1', () => {
    const tasks: Verdicts[] = Array.from({ length: 50 }, (_, i) => (i < 2 ? [1, 1, 0] : i < 4 ? [1, 1, 1] : [0, 0, 0]))
    const varying = repeated(tasks, 3).map(({ estimate }) => estimate)
    expect(varying.map(({ interval }) => interval?.method)).toEqual(Array(4).fill('wilson_cr1'))
    for (const { interval, mean } of varying) {
      expect(interval?.low).toBeGreaterThan(0)
      expect(interval?.low).toBeLessThan(mean ?? 0)
      expect(interval?.high).toBeLessThan(1)
    }
  })

  test('leave out tasks with fewer verdicts than k, and say so', () => {
    const tasks: Verdicts[] = [
      [1, 1, 0],
      [1, null, 0],
      [undefined, undefined, undefined],
      [0, 0, 0],
    ]
    expect(figures(tasks, 3).map(([kind, k, n, mean]) => [kind, k, n, mean])).toEqual([
      ['pass_at_k', 2, 3, rounded(2 / 3)],
      ['pass_hat_k', 2, 3, rounded(1 / 9)],
      ['pass_at_k', 3, 2, 0.5],
      ['pass_hat_k', 3, 2, 0],
    ])
    const [two, , three] = repeated(tasks, 3)
    expect(two?.estimate.cautions.at(-1)).toBe('1 task has fewer than 2 verdicts and is left out.')
    expect(three?.estimate.cautions.at(-1)).toBe('2 tasks have fewer than 3 verdicts and are left out.')
    expect(repeated([[1, undefined]], 2)[0]?.estimate).toMatchObject({ n: 0, mean: null, reason: 'No task has 2 verdicts.' })
  })

  test('do not exist for a single epoch, nor for scores that do not say right or wrong', () => {
    expect(repeated([[1], [0]], 1)).toEqual([])
    expect(repeated([[1, 0]], 2, false)).toEqual([])
  })

  test('are of every number up to all attempts; pages show those that people quote', () => {
    const upTo = (k: number) => Array.from({ length: k - 1 }, (_, i) => i + 2)
    const ks = (epochs: number) => [...new Set(repeated([], epochs).map(({ k }) => k))]
    expect([2, 4, 37, 100].map(ks)).toEqual([[2], [2, 3, 4], upTo(37), upTo(100)])
    const [metric] = fixtureResults(fixtureSamples(20)).metrics
    if (!metric) throw new Error('There is no metric.')
    const all = upTo(37).map(k => ({ ...metric, attempts: { kind: 'pass_hat_k' as const, k, metric: metric.metric } }))
    expect(quotedMetrics([metric, ...all], 37).map(({ attempts }) => attempts?.k)).toEqual([undefined, ...upTo(10), 20, 37])
  })
})

describe('maj@k of a run', () => {
  const attempts = (...answers: readonly (string | undefined)[]) => answers.map(answer => [answer, 1] as const)
  const voted = (tasks: readonly (readonly (readonly [string | null | undefined, 0 | 1])[])[]) => {
    const tally = createMetricTally(true)
    for (const [task, attempts] of tasks.entries())
      for (const [answer, value] of attempts) tally.add(`t${task}`, value, undefined, null, answer)
    const epochs = Math.max(...tasks.map(({ length }) => length))
    return tally.repeated(epochs).filter(({ kind }) => kind === 'majority')
  }

  test('is the score of the answer that each task got most often, the first of equals', () => {
    const tasks = [
      // Twice 7, once 8: right, though its mean is two thirds.
      [
        ['7', 1],
        ['8', 0],
        ['7', 1],
      ],
      // A wrong answer outvotes the right one.
      [
        ['4', 0],
        ['5', 1],
        ['4', 0],
      ],
      // All differ: the first.
      [
        ['1', 1],
        ['2', 0],
        ['3', 0],
      ],
      // Finding no answer is a vote too.
      [
        [null, 0],
        ['9', 1],
        [null, 0],
      ],
    ] as const
    expect(voted(tasks)).toMatchObject([{ k: 3, estimate: { n: 4, mean: 0.5, interval: { method: 'wilson' } } }])
  })

  test('does not exist where an answer is too long to be repeated, or was not read, or of two attempts', () => {
    expect(voted([attempts('x'.repeat(201), '7', '7')])).toEqual([])
    expect(voted([attempts(undefined, '7', '7')])).toEqual([])
    expect(voted([attempts('7', '7')])).toEqual([])
  })

  test('leaves out tasks of which not every attempt has a verdict', () => {
    const [majority] = voted([attempts('7', '7', '7'), attempts('8')])
    expect(majority?.estimate).toMatchObject({ n: 1, mean: 1, cautions: expect.arrayContaining([expect.stringContaining('left out')]) })
  })
})

test('stand behind their metric in the results and climb in the picture; one epoch has none of them', () => {
  const results = fixtureResults(fixtureSamples(20))
  const { profiles } = results.reproducibility
  const samples = [0, 1, 2, 3].map(
    (position): ResultSample => ({
      position,
      profileNo: 0,
      taskId: position < 2 ? 'a' : 'b',
      epoch: (position % 2) + 1,
      status: 'scored',
      attempts: 1,
      cached: false,
      scores: [position === 0 ? 1 : 0, 1].map(value => ({ value, class: value ? 'correct' : 'wrong' })),
      latencyMs: 1,
      inputTokens: 1,
      outputTokens: 1,
      tokensSource: 'provider',
      notices: [],
      servedModel: null,
      errorCode: null,
      errorMessage: null,
      facets: {},
    }),
  )
  const { metrics } = summarizeSamples(profiles, samples, String, 2, 0)
  expect(metrics.map(({ metric, title, primary, estimate }) => [metric, title, primary, estimate.mean])).toEqual([
    ['strict', 'Strict match', true, 0.25],
    ['strict.pass_at_2', 'Strict match, pass@2', false, 0.5],
    ['strict.pass_hat_2', 'Strict match, pass^2', false, 0],
    ['flexible', 'Flexible extract', false, 1],
    ['flexible.pass_at_2', 'Flexible extract, pass@2', false, 1],
    ['flexible.pass_hat_2', 'Flexible extract, pass^2', false, 1],
  ])
  const profile = { id: profiles[0]?.profile_id ?? '', title: 'GSM8K' }
  expect(attemptsPlot(metrics, profile, 0)?.rows.map(({ label, mean }) => [label, mean])).toEqual([
    ['pass^2', 0],
    ['One attempt', 0.25],
    ['pass@2', 0.5],
  ])
  expect(attemptsPlot(results.metrics, profile, 0)).toBeNull()
  expect(summarizeSamples(profiles, samples, String, 1, 0).metrics.some(metric => 'attempts' in metric)).toBe(false)
})

describe('the interval of a mean', () => {
  test('ends where the values end', () => {
    const intervalOf = (binary: boolean, unit: boolean) => {
      const tally = createMetricTally(binary, unit)
      for (const [task, value] of [0.2, 0.9].entries()) tally.add(`t${task}`, value)
      return tally.estimate().interval
    }
    expect(intervalOf(false, true)).toMatchObject({ low: 0, high: 1, method: 't' })
    expect(intervalOf(false, false)?.low).toBeLessThan(0)
  })
})
