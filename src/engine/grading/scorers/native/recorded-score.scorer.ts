import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { graded, judged, quote, unscored } from '../verdict.ts'

/** A score that a file states beside an answer, by the name under which it is kept. */
export const recordedScore = defineScorer({
  id: 'assay/recorded_score',
  version: 1,
  title: 'Recorded score',
  description:
    'The score that was imported with the answer, rescaled from its range to 0–1. Nothing is graded; answers generated here have no recorded score.',
  options: z
    .strictObject({
      name: z.string().min(1).default('score'),
      lowest: z.number().default(0),
      highest: z.number().default(1),
      binary: z.boolean().default(false).describe('Scores say right (highest) or wrong (lowest) and nothing between.'),
    })
    .refine(({ lowest, highest }) => lowest < highest, { message: 'lowest must be below highest', path: ['highest'] }),
  prepare: ({ name, lowest, highest, binary }) => {
    return ({ output, recorded = {} }) => {
      const found = Object.hasOwn(recorded, name) ? recorded[name] : undefined
      if (!found) return unscored('The answer came without a recorded score.')
      const { value: given, explanation: reason, label = null } = found
      if (given < lowest || given > highest) return unscored(`The recorded score ${given} is not between ${lowest} and ${highest}.`)
      if (binary && given !== lowest && given !== highest)
        return unscored(`The recorded score ${given} is neither ${lowest} (wrong) nor ${highest} (right).`)
      const detail = {
        answer: output,
        explanation: `Recorded as ${label === null ? '' : `${quote(label)}, `}${given} on a scale from ${lowest} to ${highest}.${reason === null ? '' : ` ${reason}`}`,
        ...(label !== null && { label }),
      }
      return binary ? judged(given === highest, detail) : graded((given - lowest) / (highest - lowest), detail)
    }
  },
})
