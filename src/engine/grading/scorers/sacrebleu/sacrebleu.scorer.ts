import { z } from 'zod'
import { bleuCounts, bleuScore } from '../text/bleu.ts'
import { bleuTokenizers, isUnsplit } from '../text/bleu-tokens.ts'
import { chrfCounts, chrfScore, usualCharacterOrder } from '../text/chrf.ts'
import { referencesKey, unsplitKey } from './signature.ts'
import { terCounts, terRate } from '../text/ter.ts'
import { defineScorer } from '../define-scorer.ts'
import type { Scorer } from '../scorer.ts'
import { filterOptions, measured, onlyFilters } from '../text/measured.ts'

const bleuOptions = z.strictObject({
  ...filterOptions,
  /** How texts are cut: `zh` for Chinese, `char` for Japanese, Thai and other scripts without blanks, `intl` for other scripts with them. */
  tokenize: z
    .enum(bleuTokenizers, {
      error: ({ input }) =>
        /^(?:ja-mecab|ko-mecab|th|spm|flores\d+|spBLEU.*)$/.test(String(input))
          ? `is "${String(input)}", which needs a dictionary or a model that Assay does not have; use "char"`
          : undefined,
    })
    .default('13a'),
  lowercase: z.boolean().default(false),
  smooth_method: z.enum(['exp', 'floor', 'add-k', 'none']).default('exp'),
  /** Of `floor` (0.1) and `add-k` (1). */
  smooth_value: z.number().min(0).max(10).optional(),
})

const chrfOptions = z.strictObject({
  ...filterOptions,
  /** Longest run of characters. */
  char_order: z.int().min(1).max(6).default(usualCharacterOrder),
  /** Longest run of words beside the characters: 0 for chrF, 2 for chrF++. */
  word_order: z.int().min(0).max(2).default(0),
  /** How much more recall counts than precision. */
  beta: z.number().min(0.1).max(10).default(2),
  lowercase: z.boolean().default(false),
  /** Whether blanks count as characters. */
  whitespace: z.boolean().default(false),
  /** The mean of every order's own F, as NLTK and Moses compute it. */
  eps_smoothing: z.boolean().default(false),
})

const bleu = defineScorer({
  id: 'sacrebleu/bleu',
  version: 1,
  title: 'BLEU (sacrebleu)',
  description:
    'BLEU-4 against all references together, from 0 to 1, as sacrebleu 2.6.0 computes it: 13a tokens and exponential smoothing unless told. A run’s figure is corpus BLEU, a sample’s has effective order.',
  options: bleuOptions,
  prepare: ({ tokenize: tokenizer, lowercase, smooth_method: method, smooth_value: value, ...options }) =>
    measured(options, ({ output, targets }) => {
      const counts = bleuCounts(output, targets, { tokenizer, lowercase })
      const { length, wanted, shared, total } = counts
      const score = bleuScore(counts, true, { method, value })
      const unsplit = targets.some(target => isUnsplit(target, tokenizer))
      return {
        value: score,
        shown: `Sentence BLEU is ${(score * 100).toFixed(2)}`,
        counts: {
          length,
          wanted,
          ...numbered('shared', shared),
          ...numbered('total', total),
          [referencesKey(targets)]: 1,
          ...(unsplit && { [unsplitKey]: 1 }),
        },
      }
    }),
})

const chrf = defineScorer({
  id: 'sacrebleu/chrf',
  version: 1,
  title: 'chrF (sacrebleu)',
  description:
    'F score of runs of up to six characters, for chrF++ of two words as well, against the closest reference, from 0 to 1, as sacrebleu 2.6.0 computes it. A run’s figure is corpus chrF.',
  options: chrfOptions,
  prepare: ({ char_order: characterOrder, word_order: wordOrder, beta, lowercase, whitespace, eps_smoothing: epsSmoothing, ...options }) =>
    measured(options, ({ output, targets }) => {
      const settings = { characterOrder, wordOrder, beta, lowercase, whitespace, epsSmoothing }
      const counts = chrfCounts(output, targets, settings)
      const value = chrfScore(counts, settings)
      return {
        value,
        shown: `chrF is ${(value * 100).toFixed(2)}`,
        counts: {
          ...Object.fromEntries(
            counts.flatMap(({ output: own, wanted, shared }, i) => [
              [`output_${i + 1}`, own],
              [`wanted_${i + 1}`, wanted],
              [`shared_${i + 1}`, shared],
            ]),
          ),
          [referencesKey(targets)]: 1,
        },
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
