import { z } from 'zod'
import { isJson } from '../python/json.ts'
import { defineScorer } from '../define-scorer.ts'
import type { Scorer } from '../scorer.ts'
import { parseExactJson } from '../../extraction/json.ts'
import { fuzzyMatch, wordF1 } from '../text/squad.ts'
import { describeTargets, judged, quote, unscored } from '../verdict.ts'
import { jsonMatches } from './json-match.ts'

const none = z.strictObject({})

export const openaiMatch = defineScorer({
  id: 'openai_evals/Match',
  version: 1,
  title: 'openai/evals Match',
  description: 'The output begins with a target.',
  options: none,
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const found = targets.find(target => output.startsWith(target))
      const span = found === undefined ? null : { start: 0, end: found.length }
      return judged(found !== undefined, {
        answer: found ?? output,
        span,
        explanation: `The output is ${quote(output)}; ${describeTargets(targets)}.`,
      })
    }
  },
})

export const openaiIncludes = defineScorer({
  id: 'openai_evals/Includes',
  version: 1,
  title: 'openai/evals Includes',
  description: 'The output contains a target.',
  options: z.strictObject({ ignore_case: z.boolean().default(false) }),
  prepare({ ignore_case: ignoreCase }) {
    const fold = ignoreCase ? (text: string) => text.toLowerCase() : (text: string) => text
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to look for.')
      const folded = fold(output)
      const found = targets.find(target => folded.includes(fold(target)))
      return judged(found !== undefined, {
        answer: found ?? null,
        explanation: `The output is ${quote(output)}; ${describeTargets(targets)}.`,
      })
    }
  },
})

export const openaiFuzzyMatch = defineScorer({
  id: 'openai_evals/FuzzyMatch',
  version: 1,
  title: 'openai/evals FuzzyMatch',
  description: 'The output or a target holds the other after normalizing; "hello" matches "othello". F1 of the words is in the values.',
  options: none,
  prepare: () => {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const isMatch = targets.some(target => fuzzyMatch(output, target))
      const f1 = Math.max(...targets.map(target => wordF1(output, target)))
      return judged(isMatch, {
        answer: output,
        values: { f1_score: f1 },
        explanation: `The output is ${quote(output)}; ${describeTargets(targets)}.`,
      })
    }
  },
})

export const openaiJsonMatch = defineScorer({
  id: 'openai_evals/JsonMatch',
  version: 3,
  title: 'openai/evals JsonMatch',
  description: 'The output is JSON equal to a target, keys in any order; null is never correct.',
  options: none,
  prepare: () => {
    return ({ output, targets }) => {
      const expected = targets.map(parseExactJson)
      if (expected.length === 0 || expected.includes(undefined)) return unscored(`The target is not JSON; ${describeTargets(targets)}.`)
      const value = parseExactJson(output)
      if (value === undefined) return judged(false, { answer: output, explanation: 'The output is not JSON.' })
      const isEqual = expected.some(target => jsonMatches(value, target))
      return judged(isEqual, { answer: output, explanation: `The output is ${quote(output)}; ${describeTargets(targets)}.` })
    }
  },
})

export const openaiJsonValidator = defineScorer({
  id: 'openai_evals/JsonValidator',
  version: 1,
  title: 'openai/evals JsonValidator',
  description: 'The output is JSON.',
  options: none,
  prepare: () => {
    return ({ output }) => judged(isJson(output), { answer: output, explanation: `The output is ${isJson(output) ? '' : 'not '}JSON.` })
  },
})

export const openaiScorers: readonly Scorer[] = [openaiMatch, openaiIncludes, openaiFuzzyMatch, openaiJsonMatch, openaiJsonValidator]
