import { describe, expect, test } from 'vitest'
import { aggregateCounts, confusionKey, medianOf } from '../../../../../src/engine/grading/scorers/aggregate-counts.ts'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import { bootstrapFigure } from '../../../../../src/engine/statistics/bootstrap-figure.ts'

function confusion(golds: readonly number[], named: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [i, gold] of golds.entries()) {
    const key = confusionKey(gold, named[i] ?? 0)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

const figure = (aggregation: 'f1' | 'mcc' | 'bleu' | 'chrf' | 'ter', counts: Record<string, number>) =>
  aggregateCounts({ aggregation, options: {} }, counts)

describe('figures of all tasks together', () => {
  test('have F1 of label 1 as scikit-learn’s f1_score', () => {
    // Its documentation: precision_recall_fscore of [0, 1, 0, 1] and [0, 1, 0, 0]; 2·1·0.5/1.5.
    expect(figure('f1', confusion([0, 1, 0, 1], [0, 1, 0, 0]))).toBeCloseTo(2 / 3, 12)
    expect(figure('f1', confusion([0, 0], [0, 0]))).toBe(0)
    expect(figure('f1', {})).toBeNull()
  })

  test('have Matthews correlation as scikit-learn’s matthews_corrcoef', () => {
    // Its documentation: [+1, +1, +1, -1] and [+1, -1, +1, +1] give -0.33.
    expect(figure('mcc', confusion([1, 1, 1, 0], [1, 0, 1, 1]))).toBeCloseTo(-1 / 3, 12)
    // Gorodkin's R_K: all right, and one side that never varies.
    expect(figure('mcc', confusion([0, 1, 2], [0, 1, 2]))).toBe(1)
    expect(figure('mcc', confusion([0, 1, 2], [1, 1, 1]))).toBe(0)
  })

  test('have the upper middle as median, as lm-eval takes it', () => {
    expect([medianOf([3, 1, 2]), medianOf([4, 1, 3, 2]), medianOf([])]).toEqual([2, 3, null])
  })

  test('are corpus figures of what the scorers count', () => {
    // sacrebleu's README example.
    const pairs = [
      ['The dog bit the man.', ['The dog bit the man.', 'The dog had bit the man.']],
      ["It wasn't surprising.", ['It was not unexpected.', 'No one was surprised.']],
      ['The man had just bitten him.', ['The man bit him first.', 'The man had bitten the dog.']],
    ] as const
    const sums = (scorer: string) => {
      const all: Record<string, number> = {}
      for (const [output, targets] of pairs)
        for (const [name, count] of Object.entries(gradeOne({ scorer }, { output, targets }).counts ?? {}))
          all[name] = (all[name] ?? 0) + count
      return all
    }
    expect((figure('bleu', sums('sacrebleu/bleu')) ?? 0) * 100).toBeCloseTo(48.530827, 6)
    expect(figure('ter', sums('sacrebleu/ter'))).toBeGreaterThan(0)
    expect(figure('chrf', sums('sacrebleu/chrf'))).toBeGreaterThan(0.3)
  })
})

describe('the bootstrap of a figure', () => {
  test('has the standard error of a mean that the formula gives', () => {
    const values = Array.from({ length: 200 }, (_, i) => (i * 37) % 101)
    const mean = (places: readonly number[]) => places.reduce((sum, place) => sum + (values[place] ?? 0), 0) / places.length
    const all = mean(values.map((_, i) => i))
    const formula = Math.sqrt(values.reduce((sum, value) => sum + (value - all) ** 2, 0)) / values.length
    const found = bootstrapFigure(values.length, mean, { seed: 1 })
    expect(found.figure).toBe(all)
    expect((found.standardError ?? 0) / formula).toBeCloseTo(1, 1)
    expect(found.interval).toMatchObject({ level: 0.95, method: 'bootstrap' })
    expect(bootstrapFigure(values.length, mean, { seed: 1 })).toEqual(found)
  })

  test('says why there is none', () => {
    expect(bootstrapFigure(0, () => 1, { seed: 1 })).toMatchObject({ figure: null, reason: 'There are no values.' })
    expect(bootstrapFigure(1, () => 1, { seed: 1 })).toMatchObject({
      figure: 1,
      interval: null,
      reason: expect.stringContaining('at least two'),
    })
    expect(bootstrapFigure(3, () => null, { seed: 1 })).toMatchObject({ figure: null, reason: expect.stringContaining('undefined') })
  })
})
