import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { firstMatch } from '../patterns/pattern.ts'
import { userPattern } from '../patterns/user-pattern.ts'
import { describeTargets, graded, judged, quote, unscored } from '../verdict.ts'
import { folding, normalizeUnicode } from './normalize-unicode.ts'

export const includes = defineScorer({
  id: 'assay/includes',
  version: 2,
  title: 'Includes',
  description: 'The targets as literal parts of the output: any of them, or all.',
  options: z.strictObject({
    ignore_case: z.boolean().default(false),
    require: z.enum(['any', 'all']).default('any'),
    normalize_unicode: normalizeUnicode,
  }),
  prepare({ ignore_case: ignoreCase, require, normalize_unicode: normalize }) {
    const fold = folding(ignoreCase, normalize)
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to look for.')
      const folded = fold(output)
      const missing = targets.filter(target => !folded.includes(fold(target)))
      const isMatch = require === 'all' ? missing.length === 0 : missing.length < targets.length
      const explanation = `${targets.length - missing.length} of ${targets.length} targets are in the output${missing.length > 0 ? `; missing: ${missing.slice(0, 5).map(quote).join(', ')}` : ''}.`
      const found = targets.find(target => !missing.includes(target))
      const at = found === undefined ? -1 : output.indexOf(found)
      return judged(isMatch, {
        answer: found ?? null,
        span: found === undefined || at < 0 ? null : { start: at, end: at + found.length },
        explanation,
      })
    }
  },
})

export const pattern = defineScorer({
  id: 'assay/pattern',
  version: 1,
  title: 'Pattern',
  description: 'A regular expression (Python notation, linear time) is found in the output, or is not.',
  options: z.strictObject({
    pattern: z.string().min(1).max(1000),
    expect: z.enum(['match', 'no_match']).default('match'),
    ignore_case: z.boolean().default(false),
    /** `^` and `$` at every line. */
    multiline: z.boolean().default(false),
    /** `.` also matches line ends. */
    dot_all: z.boolean().default(false),
  }),
  prepare({ pattern: source, expect, ignore_case: ignoreCase, multiline, dot_all: dotAll }) {
    const compiled = userPattern(source, { ignoreCase, multiline, dotAll })
    return ({ output }) => {
      const found = firstMatch(compiled, output)?.groups[0] ?? null
      const explanation = `The pattern ${quote(source)} ${found ? `matches ${quote(found.text)}` : 'matches nothing'}.`
      return judged((found !== null) === (expect === 'match'), {
        answer: found?.text ?? null,
        span: found && { start: found.start, end: found.end },
        explanation,
      })
    }
  },
})

export const setMatch = defineScorer({
  id: 'assay/set_match',
  version: 3,
  title: 'Set match',
  description:
    'The output as a set of items against a target set in any order: equality, the share of items as F1, recall or Jaccard index, or partial credit for a subset without a wrong item.',
  options: z.strictObject({
    separator: z.string().min(1).max(10).default(','),
    ignore_case: z.boolean().default(true),
    measure: z.enum(['equal', 'f1', 'recall', 'jaccard', 'subset']).default('equal'),
    /** With `subset`: what each right item is worth, instead of its share of the target; all of them are worth 1. */
    credit: z.number().min(0).max(1).optional(),
    normalize_unicode: normalizeUnicode,
  }),
  prepare({ separator, ignore_case: ignoreCase, measure, credit, normalize_unicode: normalize }) {
    const fold = folding(ignoreCase, normalize)
    const itemsOf = (text: string) =>
      new Set(
        // A full stop ends the list, not its last item.
        fold(text.replace(/(?<=\p{L}{2})\.\s{0,10}$/u, ''))
          .split(separator)
          .map(item => item.trim())
          .filter(item => item !== ''),
      )
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      const items = itemsOf(output)
      const value = Math.max(...targets.map(target => setScore(items, itemsOf(target), measure, credit)))
      return graded(value, { answer: output, explanation: `The output has ${items.size} items; ${describeTargets(targets)}.` })
    }
  },
})

type Measure = 'equal' | 'f1' | 'recall' | 'jaccard' | 'subset'

function setScore(items: ReadonlySet<string>, wanted: ReadonlySet<string>, measure: Measure, credit: number | undefined): number {
  const shared = [...items].filter(item => wanted.has(item)).length
  const isEqual = shared === items.size && shared === wanted.size
  if (isEqual || measure === 'equal') return isEqual ? 1 : 0
  // A wrong item costs everything, a missing one only its part.
  if (measure === 'subset') return shared < items.size ? 0 : Math.min(1, shared * (credit ?? 1 / wanted.size))
  if (measure === 'recall') return wanted.size === 0 ? 1 : shared / wanted.size
  return measure === 'f1' ? (2 * shared) / (items.size + wanted.size) : shared / (items.size + wanted.size - shared)
}
