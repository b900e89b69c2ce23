import { trimEndOf } from '../../../lib/trim-end.ts'
import { answerMarks } from './answer-marks.ts'
import { readable } from './readable.ts'
import { unmarked } from './unmarked.ts'

interface FoundText {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** What an output says its answer is, as written but for markup at its ends; null where it says nothing of the kind. */
export function findAnswerText(output: string): FoundText | null {
  const view = readable(output)
  const words = withBraces(unmarked(view.text), view.text)
  const marks = answerMarks(view.text, words).filter(({ start, end }) => words.slice(start, end).trim() !== '')
  const mark = marks.findLast(({ certainty }) => certainty !== 'hedged') ?? marks.at(-1)
  if (!mark) return null
  const stretch = words.slice(mark.start, mark.end)
  const sentence = mark.certainty === 'final' ? stretch : (/^[^]*?(?=[.!?](?:\s|$))/.exec(stretch)?.[0] ?? stretch)
  const bare = trimEndOf(sentence.trim(), /[.\s]/)
  const at = mark.start + sentence.indexOf(bare)
  const [start, end] = [view.origin(at), view.origin(at + bare.length)]
  return { text: output.slice(start, end), start, end }
}

/** Braces are markup in LaTeX alone; elsewhere they belong to the answer, as in "{ ( ) }". */
function withBraces(words: string, text: string): string {
  return text.includes('\\') ? words : words.replaceAll(/ /g, (_, at: number) => (/[{}]/.test(text.charAt(at)) ? text.charAt(at) : ' '))
}
