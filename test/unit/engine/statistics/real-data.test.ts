import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { comparePaired } from '../../../../src/engine/statistics/compare.ts'
import { cohenKappa, ratingTable } from '../../../../src/engine/statistics/kappa.ts'
import { krippendorffAlpha } from '../../../../src/engine/statistics/krippendorff.ts'
import { meanAndStandardError } from '../../../../src/engine/statistics/means.ts'
import { at } from '../../../../src/engine/statistics/sample.ts'
import { summarizeMetric } from '../../../../src/engine/statistics/summarize.ts'

const gsm8k = new URL('../../../../../shared/data/gsm8k/example_model_solutions.jsonl', import.meta.url)
const pandalm = new URL('../../../../../shared/data/judges/pandalm/testset-v1.json', import.meta.url)

const lmEval = new URL('../../../../../shared/data/import/lm_eval/pythia-1.4b_zero-shot_step143000.json', import.meta.url)

const labeled = z.object({ is_correct: z.boolean() })
const solutions = z.object({ '6b_verification': labeled, '175b_finetuning': labeled, '175b_verification': labeled })
const annotated = z.object({ annotator1: z.coerce.number(), annotator2: z.coerce.number(), annotator3: z.coerce.number() })

describe.skipIf(!existsSync(gsm8k))('GSM8K solutions of two models (skipped where ../shared/data/gsm8k is absent)', () => {
  const rows = existsSync(gsm8k)
    ? readFileSync(gsm8k, 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => solutions.parse(JSON.parse(line)))
    : []
  const small = rows.map(row => Number(row['6b_verification'].is_correct))
  const large = rows.map(row => Number(row['175b_finetuning'].is_correct))

  test('has 209 against 152 discordant questions, exact McNemar p = 0.00315', () => {
    const found = comparePaired(small, large, { binary: true, seed: 1 })
    expect(found).toMatchObject({ n: 1319, wins: 209, losses: 152, test: 'mcnemar_exact' })
    expect(found.p).toBeCloseTo(0.00315, 5)
    expect(found.interval?.low).toBeGreaterThan(0)
  })

  test('has an accuracy of 56.25 % for 175b_verification, with the Wilson interval of the vectors’ rule', () => {
    const outcomes = rows.map(row => Number(row['175b_verification'].is_correct))
    const { mean, interval } = summarizeMetric(outcomes, { binary: true })
    expect(mean).toBe(742 / 1319)
    expect(interval?.method).toBe('wilson')
    // (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n)
    const [p, n, z] = [742 / 1319, 1319, 1.959963984540054]
    const half = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
    expect(interval?.low).toBeCloseTo((p + z ** 2 / (2 * n) - half) / (1 + z ** 2 / n), 12)
    expect(interval?.high).toBeCloseTo((p + z ** 2 / (2 * n) + half) / (1 + z ** 2 / n), 12)
  })

  test('has the accuracies of the labels inside their intervals', () => {
    const summary = summarizeMetric(small, { binary: true })
    expect(summary.mean).toBeCloseTo(0.390447, 6)
    expect(summary.interval?.low).toBeCloseTo(0.3645, 4)
    expect(summary.interval?.high).toBeCloseTo(0.4171, 4)
  })
})

describe.skipIf(!existsSync(pandalm))("PandaLM's three annotators (skipped where ../shared/data/judges is absent)", () => {
  const rows = existsSync(pandalm) ? z.array(annotated).parse(JSON.parse(readFileSync(pandalm, 'utf8'))) : []
  const raters = [rows.map(row => row.annotator1), rows.map(row => row.annotator2), rows.map(row => row.annotator3)]

  test.each([
    [0, 1, 0.852],
    [0, 2, 0.8789],
    [1, 2, 0.8617],
  ])('raters %d and %d agree with the published kappa', (first, second, kappa) => {
    const { table } = ratingTable(at(raters, first), at(raters, second))
    expect(cohenKappa(table).kappa).toBeCloseTo(kappa, 3)
  })

  test('have an alpha between the kappas of the pairs', () => {
    const { alpha } = krippendorffAlpha(
      rows.map(row => [row.annotator1, row.annotator2, row.annotator3]),
      'nominal',
    )
    expect(alpha).toBeGreaterThan(0.852)
    expect(alpha).toBeLessThan(0.8789)
  })
})

describe.skipIf(!existsSync(lmEval))(
  'standard errors that lm-evaluation-harness published (skipped where ../shared/data/import is absent)',
  () => {
    const Published = z.object({ results: z.record(z.string(), z.record(z.string(), z.number())) })
    const { results } = existsSync(lmEval) ? Published.parse(JSON.parse(readFileSync(lmEval, 'utf8'))) : { results: {} }
    const shares = Object.entries(results).flatMap(([task, scores]) =>
      ['acc', 'acc_norm', 'pct_stereotype'].flatMap(metric => {
        const [share, error] = [scores[metric], scores[`${metric}_stderr`]]
        return share === undefined || error === undefined ? [] : [{ name: `${task} ${metric}`, share, error }]
      }),
    )

    test('are there for every share of right answers', () => expect(shares).toHaveLength(149))

    // The file gives no counts. A share and its error have one number of questions that is whole, and so is the number of right ones.
    test.each(shares)('$name is the same to thirteen digits', ({ share, error }) => {
      const n = Math.round((share * (1 - share)) / error ** 2 + 1)
      const right = Math.round(share * n)
      expect(right / n).toBeCloseTo(share, 14)
      const found = meanAndStandardError(Float64Array.from({ length: n }, (_, i) => (i < right ? 1 : 0)))
      // What is beyond is the order in which doubles were added up.
      expect(Math.abs((found.standardError ?? Number.NaN) / error - 1)).toBeLessThan(1e-13)
    })
  },
)
