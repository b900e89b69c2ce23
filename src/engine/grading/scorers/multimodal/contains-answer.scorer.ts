import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { strip } from '../python/strings.ts'
import { describeTargets, judged, unscored } from '../verdict.ts'

export const ocrContains = defineScorer({
  id: 'ocrbench/contains',
  version: 1,
  title: 'Contains the answer (OCRBench)',
  description:
    'The output contains a target without regard to case, line breaks read as spaces. With `formula`, spaces are removed and case counts, as for HME100k. A number within a longer one counts, as in the original.',
  options: z.strictObject({ formula: z.boolean().default(false) }),
  prepare({ formula }) {
    const clean = (text: string): string => {
      const line = strip(text).replaceAll('\n', ' ')
      return formula ? line.replaceAll(' ', '') : line.toLowerCase()
    }
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const text = clean(output)
      return judged(
        targets.some(target => text.includes(clean(target))),
        { answer: output, explanation: `The output is searched for each target; ${describeTargets(targets)}.` },
      )
    }
  },
})
