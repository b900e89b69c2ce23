import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { firstMatch } from '../patterns/pattern.ts'
import { userPattern } from '../patterns/user-pattern.ts'
import type { PreparedScorer, Score } from '../scorer.ts'
import { describeTargets, type Extraction, quote, unscored } from '../verdict.ts'
import { type AnswerKind, findAnswer } from './answer-line.ts'
import { gradedAs } from './grade.ts'

const groupOptions = { ignore_case: z.boolean().default(true), match_all: z.boolean().default(false) }

export const inspectPattern = defineScorer({
  id: 'inspect_ai/pattern',
  version: 1,
  title: 'Inspect pattern',
  description:
    'The groups of the first match of a pattern against the targets: one of them must equal a target, or with match_all every one.',
  options: z.strictObject({ pattern: z.string().min(1).max(1000), ...groupOptions }),
  prepare({ pattern, ignore_case: ignoreCase, match_all: matchAll }) {
    const compiled = userPattern(pattern, { ignoreCase })
    const find = (output: string) => firstMatch(compiled, output)?.groups.slice(1) ?? null
    return scoreGroups(find, `the pattern ${quote(pattern)}`, ignoreCase, matchAll)
  },
})

export const inspectAnswer = defineScorer({
  id: 'inspect_ai/answer',
  version: 1,
  title: 'Inspect answer',
  description: 'The letter, word or line after the last "ANSWER:" of the output.',
  options: z.strictObject({ pattern: z.enum(['letter', 'word', 'line']).default('line') }),
  prepare({ pattern }) {
    return scoreGroups(output => answerGroup(output, pattern), `"ANSWER: <${pattern}>"`, true, false)
  },
})

function answerGroup(output: string, kind: AnswerKind): [Extraction] | null {
  const found = findAnswer(output, kind)
  return found && [found]
}

type Groups = readonly (Extraction | null)[]

function scoreGroups(find: (output: string) => Groups | null, what: string, ignoreCase: boolean, matchAll: boolean): PreparedScorer {
  const fold = ignoreCase ? (text: string) => text.toLowerCase() : (text: string) => text
  return ({ output, targets }): Score => {
    if (targets.length === 0) return unscored('The task has no target to compare with.')
    const groups = find(output)
    if (!groups) return gradedAs('N', null, `The output does not hold ${what}.`)
    const folded = new Set(targets.map(fold))
    const isTarget = (group: Extraction | null) => group !== null && folded.has(fold(group.text))
    const equal = matchAll ? groups.every(group => group === null || isTarget(group)) && groups.some(isTarget) : groups.some(isTarget)
    const matched = equal ? groups.find(isTarget) : null
    // Inspect calls an answer correct only if it is not empty.
    const isCorrect = Boolean(matched?.text)
    const only = groups.length === 1 && !matchAll ? groups[0] : null
    const shown = matched ?? only ?? null
    const answer = equal && matchAll ? targets.join('') : (shown?.text ?? null)
    const read = groups.map(group => (group ? quote(group.text) : 'nothing')).join(', ')
    return gradedAs(isCorrect ? 'C' : 'I', answer, `Read ${read || 'no group'} from ${what}; ${describeTargets(targets)}.`, shown)
  }
}
