import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { strip } from '../python/strings.ts'
import { describeTargets, judged, unscored } from '../verdict.ts'

export const ocrContains = defineScorer({
  id: 'ocrbench/contains',
  version: 2,
  title: 'Contains the answer (OCRBench)',
  description:
    'The output contains a target without regard to case, line breaks read as spaces. With `formula`, and for tasks whose metadata name the data set HME100k, spaces are removed and case counts. A number within a longer one counts, as in the original.',
  options: z.strictObject({ formula: z.boolean().default(false) }),
  prepare({ formula }) {
    return ({ output, targets, metadata }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const isFormula = formula || metadata?.['dataset'] === 'HME100k'
      const clean = (text: string): string => {
        const line = strip(text).replaceAll('\n', ' ')
        return isFormula ? line.replaceAll(' ', '') : line.toLowerCase()
      }
      const text = clean(output)
      return judged(
        targets.some(target => text.includes(clean(target))),
        { answer: output, explanation: `The output is searched for each target; ${describeTargets(targets)}.` },
      )
    }
  },
})
