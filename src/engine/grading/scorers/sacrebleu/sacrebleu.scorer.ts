import { z } from 'zod'
import { bleuCounts, bleuScore } from '../text/bleu.ts'
import { chrfCounts, chrfScore } from '../text/chrf.ts'
import { terCounts, terRate } from '../text/ter.ts'
import { defineScorer } from '../define-scorer.ts'
import type { Scorer } from '../scorer.ts'
import { filterOptions, measured, onlyFilters } from '../text/measured.ts'

const chrfOptions = z.strictObject({
  ...filterOptions,
  /** Longest run of words beside the characters: 0 for chrF, 2 for chrF++. */
  word_order: z.int().min(0).max(2).default(0),
  /** How much more recall counts than precision. */
  beta: z.number().min(0.1).max(10).default(2),
})

const bleu = defineScorer({
  id: 'sacrebleu/bleu',
  version: 1,
  title: 'BLEU (sacrebleu)',
  description:
    'BLEU-4 with 13a tokens and exponential smoothing against all references together, from 0 to 1. A run’s figure is corpus BLEU, a sample’s has effective order.',
  options: onlyFilters,
  prepare: options =>
    measured(options, ({ output, targets }) => {
      const counts = bleuCounts(output, targets)
      const { length, wanted, shared, total } = counts
      const value = bleuScore(counts, true)
      return {
        value,
        shown: `Sentence BLEU is ${(value * 100).toFixed(2)}`,
        counts: { length, wanted, ...numbered('shared', shared), ...numbered('total', total) },
      }
    }),
})

const chrf = defineScorer({
  id: 'sacrebleu/chrf',
  version: 1,
  title: 'chrF (sacrebleu)',
  description:
    'F score of runs of up to six characters, for chrF++ of two words as well, against the closest reference, from 0 to 1. A run’s figure is corpus chrF.',
  options: chrfOptions,
  prepare: ({ word_order: wordOrder, beta, ...options }) =>
    measured(options, ({ output, targets }) => {
      const counts = chrfCounts(output, targets, { wordOrder, beta })
      const value = chrfScore(counts, { wordOrder, beta })
      return {
        value,
        shown: `chrF is ${(value * 100).toFixed(2)}`,
        counts: Object.fromEntries(
          counts.flatMap(({ output: own, wanted, shared }, i) => [
            [`output_${i + 1}`, own],
            [`wanted_${i + 1}`, wanted],
            [`shared_${i + 1}`, shared],
          ]),
        ),
      }
    }),
})

const ter = defineScorer({
  id: 'sacrebleu/ter',
  version: 1,
  title: '1 − TER (sacrebleu)',
  description:
    'Translation edit rate, subtracted from 1 so that higher is better: edits and shifts of words, without case, per word of the reference. 0 where there are more edits than words. A run’s figure is corpus TER.',
  options: onlyFilters,
  prepare: options =>
    measured(options, ({ output, targets }) => {
      const counts = terCounts(output, targets)
      const rate = terRate(counts)
      return { value: Math.max(0, 1 - rate), shown: `TER is ${(rate * 100).toFixed(2)}`, counts: { ...counts } }
    }),
})

function numbered(name: string, values: readonly number[]): Record<string, number> {
  return Object.fromEntries(values.map((value, i) => [`${name}_${i + 1}`, value]))
}

export const sacrebleuScorers: readonly Scorer[] = [bleu, chrf, ter]
