import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { splitWords } from '../python/strings.ts'
import { editDistance } from '../text/edit-distance.ts'
import { describeTargets, graded, quote, unscored } from '../verdict.ts'

export const anls = defineScorer({
  id: 'lmms_eval/anls',
  version: 1,
  title: 'ANLS (DocVQA)',
  description:
    'One minus the edit distance to the closest reference, as a share of the longer text, without case and repeated spaces; 0 below the threshold. As lmms-eval computes it: lengths are those before spaces were joined, and a similarity equal to the threshold counts.',
  options: z.strictObject({ threshold: z.number().min(0).max(1).default(0.5) }),
  prepare({ threshold }) {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no reference to compare with.')
      const similarity = 1 - Math.min(...targets.map(target => normalizedDistance(target, output)))
      const value = similarity < threshold ? 0 : similarity
      const below = value === similarity ? '' : `, below the threshold of ${threshold}`
      return graded(value, {
        answer: output,
        explanation: `${quote(output.trim())} is similar by ${similarity.toFixed(4)}${below}; ${describeTargets(targets)}.`,
      })
    }
  },
})

function normalizedDistance(target: string, output: string): number {
  const length = Math.max(pointsIn(target.toUpperCase()), pointsIn(output.toUpperCase()))
  return length === 0 ? 0 : distanceInPoints(normalized(target), normalized(output)) / length
}

function normalized(text: string): string {
  return splitWords(text.toLowerCase()).join(' ')
}

const pointsIn = (text: string): number => Array.from(text).length

/** Python counts characters beyond the first plane once; each then gets a unit of the private area. */
function distanceInPoints(a: string, b: string): number {
  if (!/[\ud800-\udfff]/.test(a + b)) return editDistance(a, b)
  const units = new Map<string, string>()
  const asUnits = (text: string): string =>
    Array.from(text, point => {
      if (point.length === 1) return point
      const unit = units.get(point) ?? String.fromCharCode(0xe000 + (units.size % 6400))
      units.set(point, unit)
      return unit
    }).join('')
  return editDistance(asUnits(a), asUnits(b))
}
