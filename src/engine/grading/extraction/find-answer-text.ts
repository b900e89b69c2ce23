import { trimEndOf } from '../../../lib/trim-end.ts'
import { answerMarks } from './answer-marks.ts'
import { readable } from './readable.ts'
import { answerField, soleAnswer } from './sole-answer.ts'
import { unmarked } from './unmarked.ts'

interface FoundText {
  readonly also?: string
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A longer output is not a bare answer. */
const longestBare = 100

/**
 * What an output says its answer is, as written but for markup and quotes at its ends; of an output that is one short line, that line; null
 * where a longer one says nothing of the kind.
 */
export function findAnswerText(output: string): FoundText | null {
  const view = readable(output)
  const words = withBraces(unmarked(view.text), view.text)
  const marks = answerMarks(view.text, words).filter(({ start, end }) => words.slice(start, end).trim() !== '')
  const mark = marks.findLast(({ certainty }) => certainty !== 'hedged') ?? marks.at(-1)
  const sole = mark?.isEnclosed === true ? null : (answerField(words) ?? (mark ? null : soleAnswer(withoutConfidence(words))))
  if (sole) return withoutQuotes(output, sole.start, trimEndOf(words.slice(sole.start, sole.end), /[.\s]/), view.origin)
  if (!mark) return bareAnswer(output, withoutConfidence(words), view.origin)
  const stretch = words.slice(mark.start, mark.end)
  const sentence = mark.certainty === 'final' ? stretch : firstSentence(stretch)
  const bare = trimEndOf(sentence.trim(), /[.\s]/).replace(/(?:です|でした|である)$/, '')
  const found = withoutQuotes(output, mark.start + sentence.indexOf(bare), bare, view.origin)
  const before = /(?:[A-Z][A-Za-z]{0,12} ){1,3}$/.exec(words.slice(Math.max(0, mark.start - 40), mark.start))?.[0]
  return before === undefined || mark.isEnclosed ? found : { ...found, also: `${before}${found.text}` }
}

const confidence =
  /(?<=\S)[\s.,;([–-]{1,6}(?:(?:my )?(?:confidence|certainty)(?: (?:level|score|rating))?(?: \([^()\n]{1,20}\))? {0,4}(?::|=|is|of) {0,4}(?:[\d.]{1,6} ?%?(?:\/\d{1,3})?|(?:very )?(?:high|medium|low))|(?:(?:and )?i(?:'m| am) )?[\d.]{1,5} ?% (?:sure|certain|confident|confidence))[\s.)\]]{0,6}$/i

/** Up to a remark at the end on how sure the answer is. */
function withoutConfidence(words: string): string {
  const at = words.slice(-200).search(confidence)
  return at < 0 ? words : words.slice(0, Math.max(0, words.length - 200) + at)
}

/** Up to its end, or to what qualifies it. Initials and abbreviations end no sentence: "J. R. R. Tolkien". */
function firstSentence(stretch: string): string {
  const cut =
    /^[^]*?(?=[.!?](?:\s|$)|,? (?:but|although|though|because|since|which|as (?:it|they|this|the)) )/.exec(stretch)?.[0] ?? stretch
  const name = /^\s{0,3}(?:(?:[A-Z]\.|Dr\.|Mr\.|Mrs\.|Ms\.|St\.|U\.S\.) ?){1,4}(?:[A-Z][\p{L}'-]{1,30} ?){1,3}(?=[.!?,]|\s{0,3}$)/u.exec(
    stretch,
  )?.[0]
  return name !== undefined && name.length > cut.length ? name : cut
}

function bareAnswer(output: string, words: string, origin: (at: number) => number): FoundText | null {
  const bare = trimEndOf(words.trim(), /[.\s]/).replace(/^(?:>|[-•]|\d{1,2}[.)])\s{1,4}(?=["'(]?\p{L})/u, '')
  return bare === '' || bare.length > longestBare || bare.includes('\n') ? null : withoutQuotes(output, words.indexOf(bare), bare, origin)
}

/** Quotes around all of an answer are marks of it. */
function withoutQuotes(output: string, from: number, bare: string, origin: (at: number) => number): FoundText {
  const inner = /^(["'])([^"']{1,400})\1$/.exec(bare)?.[2]
  const at = inner === undefined ? from : from + 1
  const [start, end] = [origin(at), origin(at + (inner ?? bare).length)]
  return { text: output.slice(start, end), start, end }
}

/** Braces are markup in LaTeX alone; elsewhere they belong to the answer, as in "{ ( ) }". */
function withBraces(words: string, text: string): string {
  return text.includes('\\') ? words : words.replaceAll(/ /g, (_, at: number) => (/[{}]/.test(text.charAt(at)) ? text.charAt(at) : ' '))
}
