import { z } from 'zod'
import { findChoice, firstAlike } from '../../extraction/find-choice.ts'
import { defineScorer } from '../define-scorer.ts'
import { strip } from '../python/strings.ts'
import { ambiguous, describeTargets, judged, unscored } from '../verdict.ts'
import { folding, normalizeUnicode } from './normalize-unicode.ts'

export const choice = defineScorer({
  id: 'assay/choice',
  version: 5,
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
      const found = findChoice(output, choices, { multiple, normalize })
      if (found.kind === 'none') {
        const explanation = `The output names none of the ${choices.length} choices.`
        return noAnswer === 'unscored' ? unscored(explanation) : judged(false, { answer: null, explanation })
      }
      const answer = output.slice(found.start, found.end)
      const chosen = found.positions.map(letterOf).join(', ')
      if (found.kind === 'ambiguous')
        return ambiguous(`The output names ${chosen} and does not decide; ${describeTargets(targets)}.`, answer)
      return judged(
        wanted.some(positions => isSameSet(positions, found.positions)),
        {
          answer,
          span: { start: found.start, end: found.end },
          explanation: `Choice ${chosen} was made; ${describeTargets(targets)}.`,
        },
      )
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
  const letter = /^\s*\(?([A-Za-z])\)?[.:]?\s*$/.exec(fold(target))?.[1]
  const byLetter = letter === undefined ? -1 : letter.toUpperCase().charCodeAt(0) - 65
  return byLetter >= 0 && byLetter < choices.length ? byLetter : byText
}

/** The set that a target names: "A, C", "AC", or the text of one choice. */
function positionsOf(target: string, choices: readonly string[], fold: Fold): readonly number[] {
  const whole = positionOf(target, choices, fold)
  return whole >= 0 ? [whole] : [...target.replaceAll(/[\s,;]|\band\b/gi, '')].map(letter => positionOf(letter, choices, fold))
}

function letterOf(position: number): string {
  return String.fromCharCode(65 + position)
}
