import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { casefold, strip } from '../python/strings.ts'
import { describeTargets, type Extraction, judged, unscored } from '../verdict.ts'

// A capital, or a small letter at the end of its line: "the answer is a matter of taste" states none.
const statedLetter =
  /\b[Aa](?:nswer|NSWER)\b[\s:*_"'`([{]{0,10}(?:is\b[\s:*_"'`([{]{0,10})?([A-Z](?![A-Za-z0-9'’])|[a-z](?=[ \t*_"'`)\]}.]{0,10}(?:$|\n)))/g
const boxedLetter = /\\boxed\{\s{0,8}(?:\\text\{)?\(?([A-Z])\)?\}/g
const loneLetter = /^[\s*_"'`([{]*([A-Z])[\s*_"'`)\]}.:,]*$/

export const choice = defineScorer({
  id: 'assay/choice',
  version: 1,
  title: 'Multiple choice',
  description:
    'The chosen option, given as a letter ("The answer is (B)", a boxed or lone letter) or as the text of exactly one option, against the target.',
  options: z.strictObject({ no_answer: z.enum(['wrong', 'unscored']).default('wrong') }),
  prepare({ no_answer: noAnswer }) {
    return ({ output, targets, choices = [] }) => {
      const wanted = targets.map(target => positionOf(target, choices))
      if (choices.length === 0) return unscored('The task has no choices.')
      if (wanted.length === 0 || wanted.includes(-1)) return unscored(`The target is not one of the choices; ${describeTargets(targets)}.`)
      const found = chosen(output, choices)
      if (!found) {
        const explanation = `The output names none of the ${choices.length} choices.`
        return noAnswer === 'unscored' ? unscored(explanation) : judged(false, { answer: null, explanation })
      }
      const explanation = `Choice ${letterOf(found.position)} was made; ${describeTargets(targets)}.`
      return judged(wanted.includes(found.position), {
        answer: found.place.text,
        span: { start: found.place.start, end: found.place.end },
        explanation,
      })
    }
  },
})

/** The last stated letter, else a boxed one, else a letter alone on the last line, else the text of exactly one choice. */
function chosen(output: string, choices: readonly string[]): { position: number; place: Extraction } | null {
  for (const place of [lastGroup(statedLetter, output), lastGroup(boxedLetter, output), letterOnLastLine(output)]) {
    const position = place ? place.text.toUpperCase().charCodeAt(0) - 65 : -1
    if (place && position >= 0 && position < choices.length) return { position, place }
  }
  const text = casefold(strip(output).replace(/[.\s]+$/, ''))
  const same = choices.flatMap((option, position) => (casefold(strip(option)) === text ? [position] : []))
  const [position] = same
  return position === undefined || same.length > 1 ? null : { position, place: { text: output, start: 0, end: output.length } }
}

function lastGroup(pattern: RegExp, text: string): Extraction | null {
  let last: Extraction | null = null
  for (const match of text.matchAll(pattern)) {
    const letter = match[1] ?? ''
    const start = match.index + match[0].lastIndexOf(letter)
    last = { text: letter, start, end: start + letter.length }
  }
  return last
}

function letterOnLastLine(output: string): Extraction | null {
  const end = output.trimEnd().length
  const from = output.lastIndexOf('\n', end - 1) + 1
  const line = output.slice(from, end)
  const letter = line.length > 40 ? undefined : loneLetter.exec(line)?.[1]
  const start = letter === undefined ? -1 : from + line.indexOf(letter)
  return letter === undefined ? null : { text: letter, start, end: start + 1 }
}

/** The position that a target names: the letter of a choice, or its text. */
function positionOf(target: string, choices: readonly string[]): number {
  const byText = choices.findIndex(option => casefold(strip(option)) === casefold(strip(target)))
  const letter = /^\s*\(?([A-Za-z])\)?\s*$/.exec(target)?.[1]
  const byLetter = letter === undefined ? -1 : letter.toUpperCase().charCodeAt(0) - 65
  return byLetter >= 0 && byLetter < choices.length ? byLetter : byText
}

function letterOf(position: number): string {
  return String.fromCharCode(65 + position)
}
