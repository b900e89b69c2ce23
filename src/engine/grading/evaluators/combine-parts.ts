import type { CompositeDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import type { Score } from '../scorers/scorer.ts'
import { graded } from '../scorers/verdict.ts'

/**
 * The parts' scores as one. A part without a verdict leaves the whole without one, unless the others decide it anyway: `all` fails with
 * one part that fails, `any` passes with one that passes.
 * @param scores of the definition's parts, in order
 */
export function combineParts({ operation, parts, pass_threshold: threshold }: CompositeDefinition, scores: readonly Score[]): Score {
  const open = scores.find(({ value }) => value === null)
  const values = scores.map(({ value }) => value)
  const lines = scores.map(
    (score, i) => `Part ${i + 1} of ${scores.length}: ${score.value === null ? score.class : score.value}. ${score.explanation}`,
  )
  const detail = { answer: null, explanation: lines.join('\n').slice(0, 8000) }
  if (operation === 'all' && values.some(value => value !== null && value < 1)) return graded(0, detail)
  if (operation === 'any' && values.some(value => value !== null && value >= 1)) return graded(1, detail)
  if (open) {
    const reason = open.class === 'refused' ? 'refused' : 'unscored'
    const { counts, explanation, label } = open
    return {
      value: null,
      class: reason,
      answer: null,
      answerSpan: null,
      explanation: `A part has no verdict. ${explanation}`,
      ...(counts && { counts }),
      ...(label !== undefined && { label }),
    }
  }
  if (operation !== 'weighted') return graded(operation === 'all' ? 1 : 0, detail)
  const weights = parts.map(({ weight }) => weight)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), 0) / total
  if (threshold === undefined) return graded(mean, detail)
  return graded(mean >= threshold ? 1 : 0, { ...detail, values: { weighted_mean: mean } })
}
