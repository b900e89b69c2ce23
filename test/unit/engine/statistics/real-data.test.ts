import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { comparePaired } from '../../../../src/engine/statistics/compare.ts'
import { cohenKappa, ratingTable } from '../../../../src/engine/statistics/kappa.ts'
import { krippendorffAlpha } from '../../../../src/engine/statistics/krippendorff.ts'
import { at } from '../../../../src/engine/statistics/sample.ts'
import { summariseMetric } from '../../../../src/engine/statistics/summarise.ts'

const gsm8k = new URL('../../../../../shared/data/gsm8k/example_model_solutions.jsonl', import.meta.url)
const pandalm = new URL('../../../../../shared/data/judges/pandalm/testset-v1.json', import.meta.url)

const labelled = z.object({ is_correct: z.boolean() })
const solutions = z.object({ '6b_verification': labelled, '175b_finetuning': labelled })
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

  it('has 209 against 152 discordant questions, exact McNemar p = 0.00315', () => {
    const found = comparePaired(small, large, { binary: true, seed: 1 })
    expect(found).toMatchObject({ n: 1319, wins: 209, losses: 152, test: 'mcnemar_exact' })
    expect(found.p).toBeCloseTo(0.00315, 5)
    expect(found.interval?.low).toBeGreaterThan(0)
  })

  it('has the accuracies of the labels inside their intervals', () => {
    const summary = summariseMetric(small, { binary: true })
    expect(summary.mean).toBeCloseTo(0.390447, 6)
    expect(summary.interval?.low).toBeCloseTo(0.3645, 4)
    expect(summary.interval?.high).toBeCloseTo(0.4171, 4)
  })
})

describe.skipIf(!existsSync(pandalm))("PandaLM's three annotators (skipped where ../shared/data/judges is absent)", () => {
  const rows = existsSync(pandalm) ? z.array(annotated).parse(JSON.parse(readFileSync(pandalm, 'utf8'))) : []
  const raters = [rows.map(row => row.annotator1), rows.map(row => row.annotator2), rows.map(row => row.annotator3)]

  it.each([
    [0, 1, 0.852],
    [0, 2, 0.8789],
    [1, 2, 0.8617],
  ])('raters %d and %d agree with the published kappa', (first, second, kappa) => {
    const { table } = ratingTable(at(raters, first), at(raters, second))
    expect(cohenKappa(table).kappa).toBeCloseTo(kappa, 3)
  })

  it('have an alpha between the kappas of the pairs', () => {
    const { alpha } = krippendorffAlpha(
      rows.map(row => [row.annotator1, row.annotator2, row.annotator3]),
      'nominal',
    )
    expect(alpha).toBeGreaterThan(0.852)
    expect(alpha).toBeLessThan(0.8789)
  })
})
