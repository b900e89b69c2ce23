import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { graded, judged, quote, unscored } from '../verdict.ts'
import { prepareAssertion } from './assertions.ts'

const options = z.strictObject({
  /** Whether the case passes, or its score between 0 and 1. */
  metric: z.enum(['pass', 'score']).default('pass'),
})

/** What a task of promptfoo must meet, in its metadata. */
const metadataSchema = z.object({
  assertions: z
    .array(
      z.object({ type: z.string(), value: z.unknown().optional(), threshold: z.number().optional(), weight: z.number().min(0).default(1) }),
    )
    .min(1),
  /** The score from which the case passes; without it, and with 0, every assertion must. */
  threshold: z.number().optional(),
})

export const testCase = defineScorer({
  id: 'promptfoo/test',
  version: 3,
  title: 'promptfoo test case',
  description:
    "All assertions of a task together, as in promptfoo: the score is their weighted mean, and the case passes when each does, or when the score reaches the case's threshold.",
  options,
  prepare({ metric }) {
    return ({ output, metadata }) => {
      const parsed = metadataSchema.safeParse(metadata)
      if (!parsed.success) return unscored('The task has no assertion that can be graded without a judge.')
      const { assertions, threshold } = parsed.data
      const results = assertions.map(({ type, value, threshold: own, weight }) => ({
        type,
        weight,
        ...prepareAssertion({ type, value, threshold: own })(output),
      }))
      const weights = results.reduce((sum, { weight }) => sum + weight, 0)
      const score = weights === 0 ? 0 : results.reduce((sum, result) => sum + result.score * result.weight, 0) / weights
      const counted = results.filter(({ weight }) => weight > 0)
      const pass = threshold ? score >= threshold : counted.every(result => result.pass)
      const failed = results.filter(result => !result.pass).map(({ type }) => quote(type))
      const detail = {
        answer: output,
        explanation: failed.length === 0 ? 'Every assertion passes.' : `These assertions fail: ${failed.join(', ')}.`,
        values: { pass: pass ? 1 : 0, score },
      }
      return metric === 'pass' ? judged(pass, detail) : graded(score, detail)
    }
  },
})
