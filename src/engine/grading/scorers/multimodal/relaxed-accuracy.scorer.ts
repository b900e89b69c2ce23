import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { parseFloatText } from '../python/numbers.ts'
import { rstrip } from '../python/strings.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'

export const relaxedAccuracy = defineScorer({
  id: 'lmms_eval/relaxed_accuracy',
  version: 1,
  title: 'Relaxed accuracy (ChartQA)',
  description:
    'Numbers may differ from a reference by 5 %; anything else, and numbers where the reference is 0, must be equal but for case. The whole output is the answer. As lmms-eval and Qwen-VL compute it.',
  options: z.strictObject({
    /** As a share of the reference. */
    tolerance: z.number().min(0).max(1).default(0.05),
  }),
  prepare({ tolerance }) {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no reference to compare with.')
      const isCorrect = targets.some(target => isClose(output, target, tolerance))
      return judged(isCorrect, {
        answer: output,
        explanation: `${quote(output)} ${isCorrect ? 'is' : 'is not'} equal or within ${tolerance * 100} %; ${describeTargets(targets)}.`,
      })
    }
  },
})

function isClose(output: string, target: string, tolerance: number): boolean {
  const [given, wanted] = [toNumber(output), toNumber(target)]
  if (given === null || wanted === null || wanted === 0) return output.toLowerCase() === target.toLowerCase()
  return Math.abs(given - wanted) / Math.abs(wanted) <= tolerance
}

function toNumber(text: string): number | null {
  if (!text.endsWith('%')) return parseFloatText(text)
  const number = parseFloatText(rstrip(text, '%'))
  return number === null ? null : number / 100
}
