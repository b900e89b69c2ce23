import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import type { Score, Scorer } from '../scorer.ts'
import { editDistance, editSimilarity } from '../text/edit-distance.ts'
import { wordF1 } from '../text/squad.ts'
import { describeTargets, graded, judged, unscored } from '../verdict.ts'
import { folding, normalizeUnicode } from './normalize-unicode.ts'
import { chrF, rougeL, sentenceBleu } from './similarity.ts'

const none = z.strictObject({})

export const f1 = defineScorer({
  id: 'assay/f1',
  version: 2,
  title: 'F1 of words',
  description: 'F1 on the bags of words without case, punctuation and articles; the best over the targets.',
  options: z.strictObject({ normalize_unicode: normalizeUnicode }),
  prepare({ normalize_unicode: normalize }) {
    const fold = folding(false, normalize)
    return ({ output, targets }) =>
      targets.length === 0
        ? unscored('The task has no target to compare with.')
        : similarity(best(fold(output), targets.map(fold), wordF1), output, targets)
  },
})
export const rouge = measure(
  'rouge_l',
  'ROUGE-L',
  'F1 of the longest common subsequence of words; the best over the targets.',
  (output, targets) => best(output, targets, rougeL),
  2,
)
export const bleu = measure('bleu', 'BLEU', 'Smoothed sentence BLEU-4 against all targets together.', sentenceBleu, 2)
export const chrf = measure(
  'chrf',
  'chrF',
  'F2 of character n-grams up to six; the best over the targets.',
  (output, targets) => best(output, targets, chrF),
  2,
)

export const editScore = defineScorer({
  id: 'assay/edit_distance',
  version: 3,
  title: 'Edit distance',
  description: '1 - edits / length of the longer text, or with max_edits right when that many edits suffice; the best over the targets.',
  options: z.strictObject({
    max_edits: z.int().min(0).optional(),
    ignore_case: z.boolean().default(false),
    normalize_unicode: normalizeUnicode,
  }),
  prepare({ max_edits: mostEdits, ignore_case: ignoreCase, normalize_unicode: normalize }) {
    const fold = folding(ignoreCase, normalize)
    return ({ output, targets }): Score => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const folded = fold(output)
      if (mostEdits === undefined) return similarity(best(folded, targets.map(fold), editSimilarity), output, targets)
      const fewest = Math.min(...targets.map(target => editDistance(folded, fold(target))))
      return judged(fewest <= mostEdits, {
        answer: output,
        values: { edits: fewest },
        explanation: `${fewest} edits lead to the closest target; ${describeTargets(targets)}.`,
      })
    }
  },
})

function measure(
  name: string,
  title: string,
  description: string,
  compare: (output: string, targets: readonly string[]) => number,
  version = 1,
): Scorer<z.output<typeof none>> {
  return defineScorer({
    id: `assay/${name}`,
    version,
    title,
    description,
    options: none,
    prepare: () => {
      return ({ output, targets }) =>
        targets.length === 0 ? unscored('The task has no target to compare with.') : similarity(compare(output, targets), output, targets)
    },
  })
}

function best(output: string, targets: readonly string[], compare: (output: string, target: string) => number): number {
  return Math.max(...targets.map(target => compare(output, target)))
}

function similarity(value: number, output: string, targets: readonly string[]): Score {
  return graded(value, { answer: output, explanation: `The similarity is ${value.toFixed(4)}; ${describeTargets(targets)}.` })
}
