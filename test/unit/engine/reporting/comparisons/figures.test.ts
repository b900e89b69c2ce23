import { describe, expect, test } from 'vitest'
import type { Metric } from '../../../../../src/contract/catalog/benchmarks.schemas.ts'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import type { SampleFacts } from '../../../../../src/engine/reporting/comparisons/align-samples.ts'
import { compareRuns } from '../../../../../src/engine/reporting/comparisons/compare-runs.ts'
import { bootstrapMean } from '../../../../../src/engine/statistics/bootstrap.ts'
import { pairedFigure } from '../../../../../src/engine/statistics/paired-figure.ts'
import { mulberry32 } from '../../../../../src/engine/statistics/random.ts'
import { frame, metric, options, profile, samples } from './frames.ts'

type Scored = Pick<SampleFacts, 'counts'> & { readonly value: number }

function compare(
  metrics: readonly Metric[],
  runs: readonly (readonly Scored[])[],
  more: (task: number) => Partial<SampleFacts> = () => ({}),
) {
  const frames = runs.map((_, i) => frame(`Run ${i}`, { profiles: [profile({ metrics: [...metrics] })] }))
  const outcome = compareRuns({ runs: frames, seed: 1, options }, run => {
    const own = runs[frames.indexOf(run)] ?? []
    return samples(
      own.map(({ value, counts }, task) => ({ task, value, values: metrics.map(() => value), ...(counts && { counts }), ...more(task) })),
    )
  })
  if (outcome.kind === 'refused') throw new Error(outcome.refusals[0]?.message)
  return outcome.computed
}

const errorRate = metric({ id: 'wer', title: '1 − WER', scorer: 'evaluate/wer', binary: false, aggregation: 'error_rate' })

/** Errors in references of the given length. */
const errors = (edits: readonly number[], wanted: (task: number) => number): Scored[] =>
  edits.map((count, task) => ({ value: 1 - count / wanted(task), counts: [{ edits: count, wanted: wanted(task) }] }))

describe('runs whose figure is no mean', () => {
  const random = mulberry32(7)
  const drawn = (most: number) => Array.from({ length: 200 }, () => Math.floor(random() * (most + 1)))

  test('are compared by that figure, which is the mean’s bootstrap where all references are as long', () => {
    const [a, b] = [drawn(6), drawn(4)]
    const [difference] = compare([errorRate], [errors(a, () => 10), errors(b, () => 10)]).differences
    const gaps = a.map((edits, i) => edits / 10 - (b[i] ?? 0) / 10)
    const plain = bootstrapMean(gaps, { seed: 1, replicates: 2000 })
    expect(difference?.difference).toBeCloseTo(plain.mean ?? 0, 12)
    expect(difference?.standard_error).toBeCloseTo(plain.standardError ?? 0, 12)
    expect(difference?.interval?.low).toBeCloseTo(plain.percentile?.low ?? 0, 12)
    expect(difference?.interval?.high).toBeCloseTo(plain.percentile?.high ?? 0, 12)
    expect(difference).toMatchObject({
      test: 'paired_bootstrap',
      interval: { method: 'paired_bootstrap' },
      verdict: 'better',
      cautions: [],
    })
    expect(difference?.posterior).toBeUndefined()
    expect(difference?.one_sided?.p_better).toBeCloseTo((difference?.p ?? 0) / 2, 12)
  })

  test('differ from the means of their tasks where tasks are unlike in size, also in parts and in the trade-off', () => {
    const wanted = (task: number) => (task % 2 === 0 ? 1 : 99)
    const half = (task: number) => ({ tags: { facets: { size: task % 2 === 0 ? 'small' : 'large' }, capabilities: [] } })
    // The contender is wrong on every tenth small task and better on large ones.
    const a = Array.from({ length: 100 }, (_, task) => (task % 2 === 0 ? 0 : 20 + (task % 7)))
    const b = Array.from({ length: 100 }, (_, task) => (task % 2 === 0 ? Number(task % 20 === 0) : 10 + (task % 5)))
    const { differences, breakdowns, trade_off, headline } = compare([errorRate], [errors(a, wanted), errors(b, wanted)], half)
    const rate = (edits: readonly number[]) => 1 - edits.reduce((sum, count) => sum + count, 0) / 5000
    expect(differences[0]).toMatchObject({ baseline_mean: expect.closeTo(rate(a), 12), contender_mean: expect.closeTo(rate(b), 12) })
    expect(differences[0]?.difference).toBeCloseTo(rate(b) - rate(a), 12)
    expect(breakdowns.map(({ value, test, difference }) => [value, test, difference])).toEqual([
      ['large', 'paired_bootstrap', expect.closeTo(0.11, 1)],
      ['small', 'paired_bootstrap', expect.closeTo(-0.1, 12)],
    ])
    expect(trade_off.map(({ quality }) => quality)).toEqual([
      expect.objectContaining({ n: 100, mean: expect.closeTo(rate(a), 12), interval: expect.objectContaining({ method: 'bootstrap' }) }),
      expect.objectContaining({ n: 100, mean: expect.closeTo(rate(b), 12) }),
    ])
    expect(headline).toContain('is better than')
  })

  test('are compared by corpus BLEU, which is not the mean of sentence BLEU', () => {
    const bleu = metric({ id: 'bleu', title: 'Corpus BLEU', scorer: 'sacrebleu/bleu', binary: false, aggregation: 'bleu' })
    const reference = 'the quick brown fox jumps over the lazy dog again'
    const grade = (output: string): Scored => {
      const { value, counts } = gradeOne({ scorer: 'sacrebleu/bleu' }, { output, targets: [reference] })
      return { value: value ?? 0, counts: [counts ?? {}] }
    }
    const good = grade(reference)
    const short = grade('the quick brown fox')
    const other = grade('a quick brown fox jumped over lazy dogs again')
    const a = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? good : short))
    const b = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? good : other))
    const [difference] = compare([bleu], [a, b]).differences
    // 40 × 10 words wanted, 280 written of which all match: BP exp(1 − 400/280).
    expect(difference?.baseline_mean).toBeCloseTo(Math.exp(1 - 400 / 280), 12)
    expect(difference).toMatchObject({ n: 40, ties: 20, test: 'paired_bootstrap', clusters: null })
  })

  test('keep F1 and Matthews correlation apart from the accuracy of the same answers', () => {
    const choice = { scorer: 'lm_eval/multiple_choice', options: { metric: 'acc' } }
    const metrics = [
      metric({ id: 'acc', title: 'Accuracy', ...choice }),
      metric({ id: 'f1', title: 'F1', ...choice, aggregation: 'f1', primary: false }),
    ]
    const answers = (right: (task: number) => boolean): Scored[] =>
      Array.from({ length: 60 }, (_, task) => {
        const gold = Number(task % 3 === 0)
        const counts = { [`${gold}>${right(task) ? gold : 1 - gold}`]: 1 }
        return { value: Number(right(task)), counts: [counts, counts] }
      })
    const { differences } = compare(metrics, [answers(task => task % 4 !== 0), answers(task => task % 5 !== 0)])
    expect(differences.map(({ metric: id, test, copy_of }) => [id, test, copy_of])).toEqual([
      ['acc', 'mcnemar_exact', null],
      ['f1', 'paired_bootstrap', null],
    ])
    expect(differences[1]?.agreement?.observed).toBe(differences[0]?.agreement?.observed)
  })

  test('are compared by their tasks’ own scores, with a caution, where scores lack what the figure is computed from', () => {
    const [old, current] = [errors([1, 2, 3], () => 10), errors([0, 2, 1], () => 10)]
    const { differences, trade_off } = compare([errorRate], [old.map(({ value }) => ({ value })), current])
    expect(differences[0]).toMatchObject({ test: 'permutation_exact', cautions: [expect.stringContaining('Regrade both runs')] })
    expect(trade_off[0]?.quality.interval?.method).not.toBe('bootstrap')
  })

  test('draw the tasks of a cluster together', () => {
    const inCluster = (task: number) => ({ tags: { facets: { cluster: `c${task % 25}` }, capabilities: [] } })
    const [difference] = compare([errorRate], [errors(drawn(5), () => 8), errors(drawn(5), () => 8)], inCluster).differences
    expect(difference).toMatchObject({ clusters: 25, clustered_by: 'cluster', n: 200, test: 'paired_bootstrap' })
  })

  test('have no interval where no resample differs', () => {
    const same = errors([1, 1, 1, 1], () => 5)
    expect(compare([errorRate], [same, same]).differences[0]).toMatchObject({
      difference: 0,
      interval: null,
      p: null,
      test: null,
      verdict: 'not_shown',
      reason: expect.stringContaining('Every resample'),
    })
  })
})

describe('the paired bootstrap', () => {
  test('turns with the runs, and its interval and its p agree', () => {
    const random = mulberry32(3)
    for (let round = 0; round < 10; round++) {
      const gaps = Array.from({ length: 40 }, () => random() - 0.4)
      const mean = (sign: number) => (places: readonly number[]) =>
        (sign * places.reduce((sum, place) => sum + (gaps[place] ?? 0), 0)) / places.length
      const [one, other] = [
        pairedFigure(40, mean(1), { seed: 5, replicates: 300 }),
        pairedFigure(40, mean(-1), { seed: 5, replicates: 300 }),
      ]
      expect(other.p).toBe(one.p)
      expect([other.better, other.worse]).toEqual([one.worse, one.better])
      const { low = 0, high = 0 } = one.interval ?? {}
      if ((one.p ?? 1) > 0.05) expect(low <= 0 && high >= 0).toBe(true)
    }
  })
})
