import { z } from 'zod'
import type { ScoreInput } from '../scorer.ts'
import { choicePosition } from '../inspect-ai/multiple-choice.ts'
import { describeTargets } from '../verdict.ts'
import type { ChoiceLikelihoods } from './multiple-choice.ts'

/** What the model client measured instead of an answer, in nats. */
const Measured = z.object({
  loglikelihoods: z.array(z.number()).min(1),
  unconditional_loglikelihoods: z.array(z.number()).optional(),
})

export interface MeasuredChoices extends ChoiceLikelihoods {
  /** Positions of the right choices, any of which counts; at least one. */
  readonly golds: readonly number[]
}

/** Metadata of a task whose targets are labels, though one is the text of a choice, too. */
export const labelTargetsKey = 'targets_are_labels'

/** Or why there is no verdict. */
export function measuredChoices({ output, targets, choices = [], metadata }: ScoreInput): MeasuredChoices | string {
  const parsed = measuredIn(output, metadata)
  if (!parsed.success) return 'The sample has no log-likelihoods of its choices.'
  const { loglikelihoods: conditional, unconditional_loglikelihoods: unconditional } = parsed.data
  if (conditional.length !== choices.length) return `There are ${choices.length} choices but ${conditional.length} log-likelihoods.`
  const areLabels = metadata?.[labelTargetsKey] === true
  const golds = targets.map(target => goldPosition(target, choices, areLabels)).filter(position => position !== null)
  if (golds.length === 0 || golds.length < targets.length)
    return `The target is neither a choice nor its position; ${describeTargets(targets)}.`
  return { choices, conditional, ...(unconditional && { unconditional }), golds }
}

/** The likelihoods are in the output where they were measured here, and in the metadata of imported rows. */
function measuredIn(output: string, metadata: unknown) {
  const given = Measured.safeParse(metadata)
  if (given.success || !output.startsWith('{')) return given
  try {
    return Measured.safeParse(JSON.parse(output))
  } catch {
    return given
  }
}

/** A target is the text of a choice, its position from 0, or the label by which a prompt would name it. With choices after Z, a number is a label. */
function goldPosition(target: string, choices: readonly string[], mustBeLabel: boolean): number | null {
  const byText = mustBeLabel ? -1 : choices.indexOf(target)
  if (byText >= 0) return byText
  const isLabel = /^[A-Z]$/.test(target) || (choices.length > 26 && /^\d/.test(target))
  const byLabel = isLabel ? choicePosition(target) : /^\d+$/.test(target) ? Number(target) : null
  return byLabel !== null && byLabel < choices.length ? byLabel : null
}
