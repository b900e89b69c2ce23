import { z } from 'zod'
import { findAnswerText } from '../../extraction/find-answer-text.ts'
import { findNumber } from '../../extraction/find-number.ts'
import { fixedPattern } from '../patterns/fixed-pattern.ts'
import { firstMatch, lastMatch, type Pattern } from '../patterns/pattern.ts'
import { userPattern } from '../patterns/user-pattern.ts'
import { ScorerConfigError } from '../config-error.ts'
import type { Extraction } from '../verdict.ts'
import { lastBoxed } from '../patterns/boxed.ts'

/** Finds the answer in an output; null when there is none. */
export type Extract = (output: string) => Extraction | null

const whole = (output: string): Extraction => ({ text: output, start: 0, end: output.length })

const presets = {
  whole,
  answer_line: byPattern(fixedPattern(/A: ?(-?[0-9.,]+)/), 'first', 1),
  hash_marks: byPattern(fixedPattern(/#### ([^\n]+)/), 'last', 1),
  last_number: lastNumber,
  boxed: output => lastBoxed(output),
  final_answer: findAnswerText,
  stated_or_whole: output => findAnswerText(output) ?? whole(output),
} satisfies Record<string, Extract>

const presetNames = z.enum(['whole', 'answer_line', 'hash_marks', 'last_number', 'boxed', 'final_answer', 'stated_or_whole'])

/**
 * Where the answer is in the output:
 * - `whole`: the output as it is;
 * - `answer_line`: the number after the first `A:`;
 * - `hash_marks`: the rest of the line after the last `#### `;
 * - `last_number`: the last number with its sign, thousands separated or not; parts of words, dates and formulas are not numbers;
 * - `boxed`: what the last `\boxed{…}` or `\fbox{…}` holds;
 * - `final_answer`: what the output says its answer is (a box, `<answer>`, `####`, "the answer is …"), the last time it does, or the whole
 *   of an output that is one short line;
 * - `stated_or_whole`: the same, and the output as it is where it says nothing of the kind, for answers of any length;
 * - a pattern of one's own, its first or last match, and in it a group (default: the first group, without groups the whole match).
 */
export const extractionSchema = z
  .union([
    presetNames,
    z.strictObject({
      pattern: z.string().max(1000),
      group: z.int().min(0).max(50).optional(),
      select: z.enum(['first', 'last']).default('first'),
    }),
  ])
  .default('whole')

/** @throws ScorerConfigError when the pattern cannot be compiled or has no such group. */
export function prepareExtraction(extraction: z.output<typeof extractionSchema>): Extract {
  if (typeof extraction === 'string') return presets[extraction]
  const pattern = userPattern(extraction.pattern)
  const group = extraction.group ?? (pattern.groupCount > 0 ? 1 : 0)
  if (group > pattern.groupCount)
    throw new ScorerConfigError(
      `The pattern ${JSON.stringify(pattern.source)} has ${pattern.groupCount} groups, so group ${group} does not exist. Choose 0 (the whole match) to ${pattern.groupCount}.`,
    )
  return byPattern(pattern, extraction.select, group)
}

function byPattern(pattern: Pattern, select: 'first' | 'last', group: number): Extract {
  const find = select === 'first' ? firstMatch : lastMatch
  return output => find(pattern, output)?.groups[group] ?? null
}

function lastNumber(output: string): Extraction | null {
  const found = findNumber(output, 'last_number')
  return found.kind === 'found' ? { text: output.slice(found.start, found.end), start: found.start, end: found.end } : null
}
