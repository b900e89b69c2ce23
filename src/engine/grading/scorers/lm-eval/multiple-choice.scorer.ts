import { z } from 'zod'
import { confusionKey } from '../aggregate-counts.ts'
import { defineScorer } from '../define-scorer.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { bestPosition, choiceAccuracies } from './multiple-choice.ts'

const options = z.strictObject({
  /** Which accuracy is the score; all that can be computed are in `values`. */
  metric: z.enum(['acc', 'acc_norm', 'acc_bytes', 'acc_mutual_info']).default('acc'),
})

/** What the model client measured instead of an answer, in nats. */
const metadataSchema = z.object({
  loglikelihoods: z.array(z.number()).min(1),
  unconditional_loglikelihoods: z.array(z.number()).optional(),
})

export const lmEvalMultipleChoice = defineScorer({
  id: 'lm_eval/multiple_choice',
  version: 3,
  title: 'lm-eval multiple choice',
  description:
    'The choice with the highest log-likelihood against the right one: as it is, per character, per byte, or less its likelihood without the context.',
  options,
  prepare({ metric }) {
    return ({ output, targets, choices = [], metadata }) => {
      const parsed = measuredIn(output, metadata)
      if (!parsed.success) return unscored('The sample has no log-likelihoods of its choices.')
      const { loglikelihoods: conditional, unconditional_loglikelihoods: unconditional } = parsed.data
      if (conditional.length !== choices.length)
        return unscored(`There are ${choices.length} choices but ${conditional.length} log-likelihoods.`)
      const golds = targets.map(target => goldPosition(target, choices)).filter(position => position !== null)
      const [gold] = golds
      if (gold === undefined || golds.length < targets.length)
        return unscored(`The target is neither a choice nor its position; ${describeTargets(targets)}.`)
      const values = choiceAccuracies({ choices, conditional, ...(unconditional && { unconditional }) }, golds)
      const value = values[metric]
      if (value === undefined) return unscored('acc_mutual_info needs the log-likelihoods of the choices without the context.')
      const named = bestPosition(conditional)
      const chosen = choices[named] ?? ''
      const explanation = `The most likely choice is ${quote(chosen)}; ${describeTargets(targets)}.`
      return { ...judged(value === 1, { answer: chosen, values, explanation }), counts: { [confusionKey(gold, named)]: 1 } }
    }
  },
})

/** The likelihoods are in the output where they were measured here, and in the metadata of imported rows. */
function measuredIn(output: string, metadata: unknown) {
  const given = metadataSchema.safeParse(metadata)
  if (given.success || !output.startsWith('{')) return given
  try {
    return metadataSchema.safeParse(JSON.parse(output))
  } catch {
    return given
  }
}

/** A target is the text of a choice, its position from 0, or the letter by which a prompt would name it. */
function goldPosition(target: string, choices: readonly string[]): number | null {
  const byText = choices.indexOf(target)
  if (byText >= 0) return byText
  const position = /^[A-Z]$/.test(target) ? target.charCodeAt(0) - 65 : /^\d+$/.test(target) ? Number(target) : choices.length
  return position < choices.length ? position : null
}
