import { z } from 'zod'
import { filterStepSchema, preparePipeline } from '../lm-eval/filter-steps.ts'
import type { PreparedScorer, ScoreInput } from '../scorer.ts'
import { describeTargets, graded, unscored } from '../verdict.ts'

/** A task's filters, which the output goes through first. */
export const filterOptions = { filters: z.array(filterStepSchema).max(20).optional() }
export const onlyFilters = z.strictObject(filterOptions)

interface Measured {
  readonly value: number
  /** In the terms of the original. */
  readonly shown: string
  /** What the figure of a whole run is computed from. */
  readonly counts: Readonly<Record<string, number>>
}

/** Scores of outputs against references that add up to a figure of the whole run. */
export function measured({ filters: steps = [] }: z.output<typeof onlyFilters>, measure: (input: ScoreInput) => Measured): PreparedScorer {
  const filter = preparePipeline(steps)
  return input => {
    const { targets, choices = [] } = input
    const { text: output } = filter({ text: input.output, span: null }, choices)
    if (targets.length === 0) return unscored('The task has no reference to compare with.')
    const { value, shown, counts } = measure({ ...input, output })
    return { ...graded(value, { answer: output, explanation: `${shown}; ${describeTargets(targets)}.` }), counts }
  }
}
