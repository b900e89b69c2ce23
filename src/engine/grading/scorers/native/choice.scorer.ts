import { z } from 'zod'
import { findChoice, firstAlike, type FoundChoice } from '../../extraction/find-choice.ts'
import { foldOption } from '../../extraction/read-option.ts'
import { defineScorer } from '../define-scorer.ts'
import { choiceLabel, choicePosition, markedAnswer, parseAnswers } from '../inspect-ai/multiple-choice.ts'
import { strip } from '../python/strings.ts'
import { ambiguous, describeTargets, judged, unscored } from '../verdict.ts'
import { folding, normalizeUnicode } from './normalize-unicode.ts'

export const choice = defineScorer({
  id: 'assay/choice',
  version: 6,
  title: 'Multiple choice',
  description:
    'The chosen option as a person reads it: "B) two", "**B** because …", "Option B is correct", a box, or the text of one option. An answer that names several, or contradicts itself, is unscored as ambiguous.',
  options: z.strictObject({
    no_answer: z.enum(['wrong', 'unscored']).default('wrong'),
    /** The target names a set of choices ("A, C"), and the answer must name exactly these. */
    multiple_correct: z.boolean().default(false),
    normalize_unicode: normalizeUnicode,
  }),
  prepare({ no_answer: noAnswer, multiple_correct: multiple, normalize_unicode: normalize }) {
    const folded = folding(true, normalize)
    const fold = (text: string) => strip(folded(text))
    return ({ output, targets, choices = [] }) => {
      if (choices.length === 0) return unscored('The task has no choices.')
      const named = targets.map(target => (multiple ? positionsOf(target, choices, fold) : [positionOf(target, choices, fold)]))
      if (named.length === 0 || named.some(positions => positions.length === 0 || positions.includes(-1)))
        return unscored(`The target is not one of the choices; ${describeTargets(targets)}.`)
      const wanted = named.map(positions => [...new Set(positions.map(position => firstAlike(choices, position)))])
      const found = numberedChoice(output, choices, multiple) ?? findChoice(output, choices, { multiple, normalize })
      const isRight = found.kind === 'chosen' && wanted.some(positions => isSameSet(positions, found.positions))
      const number = isRight ? null : unreadLabel(output, found, choices, wanted, multiple)
      if (number !== null)
        return unscored(
          `"${number}" may be the label of a choice after Z, and these are read after "ANSWER:" alone; ${describeTargets(targets)}.`,
        )
      if (found.kind === 'none') {
        const explanation = `The output names none of the ${choices.length} choices.`
        return noAnswer === 'unscored' ? unscored(explanation) : judged(false, { answer: null, explanation })
      }
      const answer = output.slice(found.start, found.end)
      const chosen = found.positions.map(choiceLabel).join(', ')
      if (found.kind === 'ambiguous')
        return ambiguous(`The output names ${chosen} and does not decide; ${describeTargets(targets)}.`, answer)
      return judged(isRight, {
        answer,
        span: { start: found.start, end: found.end },
        explanation: `Choice ${chosen} was made; ${describeTargets(targets)}.`,
      })
    }
  },
})

function isSameSet(a: readonly number[], b: readonly number[]): boolean {
  return new Set(a).size === b.length && b.every(position => a.includes(position))
}

type Fold = (text: string) => string

/** The position that a target names: the letter of a choice, or its text. */
function positionOf(target: string, choices: readonly string[], fold: Fold): number {
  const byText = choices.findIndex(option => fold(option) === fold(target))
  // Beyond Z a prompt counts on from 1.
  const label = /^\s*\(?([A-Za-z]|\d{1,4})\)?[.:]?\s*$/.exec(fold(target))?.[1] ?? ''
  const byLetter = choicePosition(label) ?? -1
  return byLetter >= 0 && byLetter < choices.length ? byLetter : byText
}

/** The set that a target names: "A, C", "AC", or the text of one choice. */
function positionsOf(target: string, choices: readonly string[], fold: Fold): readonly number[] {
  const whole = positionOf(target, choices, fold)
  if (whole >= 0) return [whole]
  const parts = target.split(/[\s,;]|\band\b/i).filter(part => part !== '')
  return parts.flatMap(part => {
    const position = positionOf(part, choices, fold)
    const isNumber = choices.length > 26 && /^\d+$/.test(part)
    return position >= 0 || isNumber ? [position] : [...part].map(letter => positionOf(letter, choices, fold))
  })
}

/**
 * Where a choice after Z is right: the number that may be its label, in an output without the only form in which such a label is read. A
 * choice that was found otherwise stands, unless it was found by a number.
 */
function unreadLabel(
  output: string,
  found: FoundChoice,
  choices: readonly string[],
  wanted: readonly (readonly number[])[],
  multiple: boolean,
): string | null {
  const isAfterZ = wanted.some(positions => positions.some(position => position >= 26))
  if (!isAfterZ || found.kind === 'ambiguous' || parseAnswers(output, choices.length, multiple).length > 0) return null
  if (found.kind === 'none') return output.match(bareNumbers)?.find(number => (choicePosition(number) ?? Infinity) < choices.length) ?? null
  const said = output.slice(found.start, found.end)
  const number = /^\W*(?:(?:option|choice|answer|number|no\.)\W*)?([1-9]\d{0,3})\W*$/i.exec(said)?.[1]
  const position = number === undefined ? null : choicePosition(number)
  if (number === undefined || position === null || position >= choices.length) return null
  // The text of a choice is one, unless the number would be right as a label.
  const isText = found.positions.some(at => foldOption(choices[at] ?? '') === foldOption(said))
  return !isText || wanted.some(positions => positions.includes(firstAlike(choices, position))) ? number : null
}

/** Not within a word or a decimal. */
const bareNumbers = /(?<![A-Za-z0-9]|\d[.,])[1-9]\d{0,3}(?![A-Za-z0-9]|[.,]\d)/g

/** What an output marks after "ANSWER:" among more choices than there are letters; null where that names none beyond Z. */
function numberedChoice(output: string, choices: readonly string[], multiple: boolean): FoundChoice | null {
  if (choices.length <= 26) return null
  const labels = parseAnswers(output, choices.length, multiple)
  if (!labels.some(label => /^\d/.test(label))) return null
  const positions = [...new Set(labels.map(label => firstAlike(choices, choicePosition(label) ?? 0)))]
  const { text, start } = markedAnswer(output) ?? { text: output, start: 0 }
  const from = start + text.search(/\S/)
  return { kind: 'chosen', positions, start: from, end: from + text.trim().length }
}
