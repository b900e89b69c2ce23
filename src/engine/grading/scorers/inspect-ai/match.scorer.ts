import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { casefold } from '../python/strings.ts'
import { describeTargets, quote, unscored } from '../verdict.ts'
import { gradedAs } from './grade.ts'
import { matchText } from './match-text.ts'

export const inspectMatch = defineScorer({
  id: 'inspect_ai/match',
  version: 2,
  title: 'Inspect match',
  description:
    'The target at the end (or beginning, anywhere, or all) of the output without case and outer punctuation; with numeric, numbers to five significant digits.',
  options: z.strictObject({
    location: z.enum(['begin', 'end', 'any', 'exact']).default('end'),
    ignore_case: z.boolean().default(true),
    numeric: z.boolean().default(false),
  }),
  prepare({ location, ignore_case: ignoreCase, numeric }) {
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to compare with.')
      let answer = ''
      for (const target of targets) {
        const matched = matchText(output, target, { location, ignoreCase, numeric })
        answer = matched.answer
        if (matched.isMatch)
          return gradedAs('C', answer, `The output matches the target ${quote(target)} (${location}).`, locate(output, answer))
      }
      return gradedAs('I', answer, `Extracted answer: ${quote(answer)}; ${describeTargets(targets)}.`, locate(output, answer))
    }
  },
})

export const inspectIncludes = defineScorer({
  id: 'inspect_ai/includes',
  version: 1,
  title: 'Inspect includes',
  description: 'Any target anywhere in the output, without regard to case unless asked.',
  options: z.strictObject({ ignore_case: z.boolean().default(true) }),
  prepare({ ignore_case: ignoreCase }) {
    const fold = ignoreCase ? casefold : (text: string) => text
    return ({ output, targets }) => {
      if (targets.length === 0) return unscored('The task has no target to look for.')
      const answer = fold(output)
      const found = targets.find(target => answer.includes(fold(target)))
      if (found === undefined) return gradedAs('I', answer, `None of the targets is in the output; ${describeTargets(targets)}.`)
      const at = answer.length === output.length ? answer.indexOf(fold(found)) : -1
      return gradedAs('C', answer, `The output holds the target ${quote(found)}.`, at < 0 ? null : { start: at, end: at + found.length })
    }
  },
})

function locate(output: string, answer: string): { start: number; end: number } | null {
  const start = answer === '' ? -1 : output.lastIndexOf(answer)
  return start < 0 ? null : { start, end: start + answer.length }
}
