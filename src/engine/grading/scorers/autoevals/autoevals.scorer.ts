import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import type { Score, Scorer } from '../scorer.ts'
import { bestAssignment } from '../text/assignment.ts'
import { editSimilarity } from '../text/edit-distance.ts'
import { compileSchema } from '../text/json-schema.ts'
import { describeTargets, graded, judged, quote, unscored } from '../verdict.ts'
import { jsonDiff, numericDiff } from './json-diff.ts'
import { jsonIn } from '../../../../lib/json-value.ts'

const none = z.strictObject({})
const texts = z.array(z.string())

/** A score per target, of which the best counts; null where target or output cannot be compared. */
function bestOfTargets(output: string, targets: readonly string[], compare: (target: string) => number | null): Score {
  const values = targets.map(compare)
  const best = values.reduce<number | null>((max, value) => (value === null ? max : Math.max(max ?? 0, value)), null)
  if (best === null) return unscored(`The output cannot be compared; ${describeTargets(targets)}.`)
  return graded(best, { answer: output, explanation: `The output is ${quote(output)}; ${describeTargets(targets)}.` })
}

export const autoevalsExactMatch = defineScorer({
  id: 'autoevals/ExactMatch',
  version: 1,
  title: 'autoevals ExactMatch',
  description: 'The output equals a target; JSON is compared after re-serialization: white space is ignored, the order of keys is not.',
  options: none,
  prepare: () => {
    return ({ output, targets }) => bestOfTargets(output, targets, target => (rewritten(output) === rewritten(target) ? 1 : 0))
  },
})

export const autoevalsLevenshtein = defineScorer({
  id: 'autoevals/Levenshtein',
  version: 2,
  title: 'autoevals Levenshtein',
  description: '1 - edit distance / length of the longer text.',
  options: none,
  prepare: () => {
    return ({ output, targets }) => bestOfTargets(output, targets, target => editSimilarity(output, target))
  },
})

export const autoevalsNumericDiff = defineScorer({
  id: 'autoevals/NumericDiff',
  version: 1,
  title: 'autoevals NumericDiff',
  description: '1 - |a - b| / (|a| + |b|) of two JSON numbers.',
  options: none,
  prepare: () => {
    return ({ output, targets }) => {
      const value = jsonIn(output)
      if (typeof value !== 'number') return judged(false, { answer: null, explanation: 'The output is not a JSON number.' })
      return bestOfTargets(output, targets, target => {
        const wanted = jsonIn(target)
        return typeof wanted === 'number' ? numericDiff(value, wanted) : null
      })
    }
  },
})

export const autoevalsJsonDiff = defineScorer({
  id: 'autoevals/JSONDiff',
  version: 2,
  title: 'autoevals JSONDiff',
  description: 'How alike two JSON values are: the mean over keys and positions, texts by edit similarity, numbers by relative difference.',
  options: none,
  prepare: () => {
    return ({ output, targets }) => bestOfTargets(output, targets, target => jsonDiff(jsonOrText(output), jsonOrText(target)))
  },
})

export const autoevalsListContains = defineScorer({
  id: 'autoevals/ListContains',
  version: 2,
  title: 'autoevals ListContains',
  description: 'Pairs the texts of two JSON lists so that their edit similarities add up to the most, over the length of the longer list.',
  options: z.strictObject({
    /** Divide by the number of expected texts, so that further ones cost nothing. */
    allowExtraEntities: z.boolean().default(false),
  }),
  prepare({ allowExtraEntities }) {
    return ({ output, targets }) => {
      const items = texts.safeParse(jsonIn(output))
      if (!items.success) return judged(false, { answer: null, explanation: 'The output is not a JSON list of texts.' })
      return bestOfTargets(output, targets, target => {
        const wanted = texts.safeParse(jsonIn(target))
        return wanted.success ? listOverlap(items.data, wanted.data, allowExtraEntities) : null
      })
    }
  },
})

export const autoevalsValidJson = defineScorer({
  id: 'autoevals/ValidJSON',
  version: 1,
  title: 'autoevals ValidJSON',
  description: 'The output is a JSON object or list, or with a schema any JSON valid under it.',
  options: z.strictObject({ schema: z.record(z.string(), z.unknown()).optional() }),
  prepare({ schema }) {
    const check = schema && compileSchema(schema)
    return ({ output }) => {
      const value = jsonIn(output)
      const isValid = value !== undefined && (check ? check(value).length === 0 : typeof value === 'object' && value !== null)
      return judged(isValid, { answer: output, explanation: `The output is ${isValid ? '' : 'not '}valid.` })
    }
  },
})

export const autoevalsScorers: readonly Scorer[] = [
  autoevalsExactMatch,
  autoevalsLevenshtein,
  autoevalsNumericDiff,
  autoevalsJsonDiff,
  autoevalsListContains,
  autoevalsValidJson,
]

function rewritten(text: string): string {
  const value = jsonIn(text)
  return value === undefined ? text : JSON.stringify(value)
}

function jsonOrText(text: string): unknown {
  const value = jsonIn(text)
  return value === undefined ? text : value
}

function listOverlap(items: readonly string[], wanted: readonly string[], allowExtra: boolean): number {
  if (items.length === 0 || wanted.length === 0) return items.length === wanted.length ? 1 : 0
  const weights = items.map(item => wanted.map(other => editSimilarity(item, other)))
  const sum = bestAssignment(weights).reduce((total, column, row) => total + (column < 0 ? 0 : (weights[row]?.[column] ?? 0)), 0)
  return Math.min(1, sum / (allowExtra ? wanted.length : Math.max(items.length, wanted.length)))
}
