import { type AnswerMark, answerMarks } from './answer-marks.ts'
import { describeNumber, isEqual, isWithin } from './exact-number.ts'
import { type NumberToken, numberTokens } from './number-tokens.ts'
import { numberInWords } from './number-words.ts'
import { readable } from './readable.ts'
import { isCorrection } from './correction.ts'
import { unmarked } from './unmarked.ts'

export type { NumberToken } from './number-tokens.ts'

/** Where in an output a number is looked for. */
export type NumberPlace =
  /** What the output says its answer is, else its last number. */
  | 'final_answer'
  | 'last_number'
  /** The text is nothing but the number, with a unit, words or an equation around it at most. */
  | 'whole'

export type FoundNumber =
  | { readonly kind: 'found'; readonly number: NumberToken; readonly start: number; readonly end: number }
  /** "5 or 7", "between 5 and 7", or two answers that contradict each other. */
  | { readonly kind: 'ambiguous'; readonly start: number; readonly end: number }
  | { readonly kind: 'none' }

const none = { kind: 'none' } as const

/** The number that a text gives as its answer, with its position in the text. */
export function findNumber(output: string, place: NumberPlace, normalize = true): FoundNumber {
  const view = normalize ? readable(output) : { text: output, origin: (at: number) => at }
  const text = normalize ? withAsciiDigits(view.text) : view.text
  const found = place === 'whole' ? wholeNumber(text) : place === 'last_number' ? lastNumber(text) : finalNumber(text)
  return found.kind === 'none' ? found : { ...found, start: view.origin(found.start), end: view.origin(found.end) }
}

/** The digits 0 of scripts that have their own and no compatibility form. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0]

/** Position for position. */
function withAsciiDigits(text: string): string {
  if (!/[\u0660-\u17e9]/.test(text)) return text
  return text
    .replaceAll(/\p{Nd}/gu, digit => {
      const code = digit.charCodeAt(0)
      const zero = digit.length > 1 ? undefined : zeros.find(first => code >= first && code < first + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
}

function lastNumber(text: string): FoundNumber {
  const number = numberTokens(text).at(-1)
  return number ? at(number) : none
}

function at(number: NumberToken): FoundNumber {
  return { kind: 'found', number, start: number.start, end: number.end }
}

const letters = /\\(?:text|mathrm|textbf|mathbf|textit|mbox|textrm|left|right|displaystyle|boldsymbol|approx|quad|qquad|circ|degree)/g

/** @returns none for expressions, pairs and inequalities, which are not a single number */
function wholeNumber(text: string): FoundNumber {
  const between = text.split('\n').flatMap(line => line.split('=').slice(1, -1))
  if (between.some(part => /\bor\b|\band\b|[,;]/.test(part))) return { kind: 'ambiguous', start: 0, end: text.length }
  const from = afterEquation(text, text.length)
  const tokens = numberTokens(text.slice(from)).map(token => moved(token, from))
  const [number] = tokens
  if (!number) return none
  const left = text.slice(from, number.start)
  const right = text.slice(number.end).replace(/^[A-Za-z\\{ }]{0,20}[ }]?\s?\^\{?[23]\}?|^\^\{?\s?(?:\\circ|\\degree|o\b)\s?\}?/, '')
  const rest = `${left} ${right}`.replaceAll(letters, ' ').replaceAll(/\\[$%,;:! ()[\]]/g, ' ')
  if (tokens.length > 1) {
    const [, second] = tokens
    if (second && isAlternative(text.slice(number.end, second.start))) return { kind: 'ambiguous', start: number.start, end: second.end }
    // "18 apples in 3 boxes" is 18: words are between, and nothing to calculate with.
    if (!/^[\s$*_{\\(]*$/.test(left) || !/^\s?[A-Za-z%°\\$€£].*[A-Za-z]\s/.test(text.slice(number.end, second?.start))) return none
  }
  return /[+=<>^\\|≤≥≠±√π×÷]|(?<=\s)[-*/](?=\s)|\d/.test(tokens.length > 1 ? '' : rest) ? none : at(number)
}

function moved(token: NumberToken, by: number): NumberToken {
  return { ...token, start: token.start + by, end: token.end + by }
}

/** Behind the last sign of equality or approximation before `end`. */
function afterEquation(text: string, end: number): number {
  const signs = [...text.slice(0, end).matchAll(/(?<![<>!=])(?:=|≈|≃|\\approx|\\simeq|:=)(?!=)/g)]
  const last = signs.at(-1)
  return last ? last.index + last[0].length : 0
}

const alternative =
  /^["')\]*$}]{0,4}\s{0,3}(?:[A-Za-z%°$€£\\]{0,12}\s{0,2})(?:,?\s?(?<![A-Za-z])(?:or|to|and|oder|bis|ou|o)\s|[-–]|\\text\{\s?(?:or|and)\s?\})\s{0,2}(?:[A-Za-z]\s?=\s?)?["'(*$\\€£{]{0,4}-?$/i

function isAlternative(between: string): boolean {
  return alternative.test(between)
}

/** The last statement of an answer that holds a number, else the last number of all. */
function finalNumber(text: string): FoundNumber {
  const tokens = numberTokens(text)
  const marks = answerMarks(text, text)
  const stated = marks.flatMap(mark => {
    const read = readStatement(text, mark)
    const isPassed = mark.isStep === true && tokens.some(token => token.start >= mark.end && !isConfidence(text, token))
    return read.kind === 'none' || isPassed ? [] : [{ ...read, certainty: mark.certainty }]
  })
  const sure = stated.filter(({ certainty }) => certainty !== 'hedged')
  const closing = lastLine(text)
  const spoken = (sure.length > 0 ? sure : stated).at(-1)
  const last = spoken && closing.kind === 'found' && closing.start > spoken.end ? { ...closing, certainty: 'stated' as const } : spoken
  // What is in a box and no number must not be replaced by one from the steps before.
  const enclosed = marks.findLast(({ isEnclosed, start, end }) => isEnclosed && text.slice(start, end).trim() !== '')
  if (!last && tokens.length === 0) {
    const said = inWords(text, marks)
    return said.kind === 'none' ? leadingSentence(text) : said
  }
  if (enclosed && (!last || last.end <= enclosed.start)) return none
  if (!last) return unstated(text, tokens)
  const final = sure.findLast(({ certainty }) => certainty === 'final')
  if (
    final &&
    last.kind === 'found' &&
    final.kind === 'found' &&
    !isEqual(final.number.value, last.number.value) &&
    !isCorrection(text, final.end, last.start)
  )
    return { kind: 'ambiguous', start: last.start, end: last.end }
  return last
}

/** "forty-two", said as the answer or as all of the output. */
function inWords(text: string, marks: readonly AnswerMark[]): FoundNumber {
  const places = [
    ...marks.filter(({ certainty }) => certainty !== 'hedged'),
    ...(marks.length === 0 ? [{ start: 0, end: text.length }] : []),
  ]
  const place = places.at(-1)
  const found = place && numberInWords(unmarked(text).slice(place.start, place.end))
  return found ? shifted(at({ ...found, scaled: null, unit: '' }), place.start) : none
}

/**
 * Where nothing is said to be the answer: a number that the output begins with and then explains, else its last number. The end of a range
 * ("5–6", "5 or 6") and a number with a margin ("5 ± 1") do not decide; a bound or a member of a set is not a number.
 */
function unstated(text: string, tokens: readonly NumberToken[]): FoundNumber {
  if (refusal.test(text)) return none
  const leading = leadingNumber(text, tokens)
  if (leading) return at(leading)
  if (tokens.every(token => isConfidence(text, token))) {
    const lead = leadingSentence(text)
    if (lead.kind === 'found') return lead
  }
  const own = meant(text, tokens)
  const [before, last] = own.length === 1 ? [undefined, own[0]] : own.slice(-2)
  if (!last) return none
  const left = text.slice(0, last.start)
  const right = text.slice(last.end)
  if (/(?:[<>≤≥∈]|\\(?:leq?|geq?|lt|gt)\b)\s{0,3}$/.test(left) || (/[{([]\s?[^{([\n]{1,60},\s?$/.test(left) && /^\s?[})\]]/.test(right)))
    return none
  if (/^\s?(?:±|\\pm\b|\+\/-)/.test(right)) return { kind: 'ambiguous', start: last.start, end: last.end }
  if (!before || isEqual(before.value, last.value)) return at(last)
  // Nothing but a calculation that is not worked out.
  if (/^[\s(]{0,8}-?[\d.,]{1,40}(?:\s?[+*/×÷^-]\s?[\d.,()]{1,40}){1,20}\s{0,8}$/.test(text)) return none
  const between = text.slice(before.end, last.start)
  const isRange =
    (/^\s?[%°]?(?:\s?–\s?|-)[$€£]?$|^\s?[%°]?\s(?:or|to)\s[$€£]?$/.test(between) ||
      (/^\s?[%°]?\sand\s[$€£]?$/.test(between) && /\bbetween\s[$€£]?$/i.test(text.slice(0, before.start)))) &&
    !/[=+*/×÷^]\s?$/.test(text.slice(0, before.start)) &&
    !/=/.test(right)
  return isRange ? { kind: 'ambiguous', start: before.start, end: last.end } : at(last)
}

const refusal = /^\s{0,5}(?:i(?:'m| am) (?:sorry|unable|afraid)|i (?:cannot|can't|could not|couldn't)|sorry|抱歉)/i
const deniedStatement =
  /^[\s*_"'(]{0,6}(?:(?:not|(?:more|less|fewer|greater|larger|smaller|higher|lower) than|at most|nicht|no es|n'est pas)\b|不是)/i
const deniedNumber =
  /\b(?:not|never|isn't|instead of|rather than|nicht|(?:more|less|fewer|greater|larger|smaller|higher|lower) than|at most|no es)\s(?:the |a |about |exactly )?[$€£]?$|不是\s?$/i

/** Numbers that may be the answer: not denied, no bound; where others are left no year, citation, confidence, conversion or whole of a part. */
function meant(text: string, tokens: readonly NumberToken[]): readonly NumberToken[] {
  const own = tokens.filter(({ start }) => !deniedNumber.test(text.slice(Math.max(0, start - 30), start).replaceAll(/[*_]/g, '')))
  const first = own.filter(({ start, end }, i) => {
    const [left, right, said] = [text.slice(Math.max(0, start - 40), start), text.slice(end, end + 20), text.slice(start, end)]
    const previous = own[i - 1]
    const between = previous ? text.slice(previous.end, start) : ''
    return !(
      (/^(?:19|20)\d\d$/.test(said) && /\b(?:in|since|by|of|from|until|during|year)\s$/i.test(left) && previous) ||
      (left.endsWith('[') && right.startsWith(']')) ||
      isConfidence(text, { start, end }) ||
      (previous && /^\s?[A-Za-z°%]{0,12}\s?\($/.test(between) && /^\s?[A-Za-z°%]{1,12}\)/.test(right)) ||
      (previous && /^\s(?:out of|of the)\s$/.test(between))
    )
  })
  return first.length > 0 ? first : own
}

/** "95% sure", "Confidence: 0.95". */
function isConfidence(text: string, { start, end }: Pick<NumberToken, 'start' | 'end'>): boolean {
  return (
    /^ ?(?:%|percent)? ?(?:sure|certain|confident|confidence)(?![:=])/i.test(text.slice(end, end + 20)) ||
    /(?<![A-Za-z])(?:confidence|certainty)(?: (?:level|score|rating|estimate))?(?: \([^()\n]{1,20}\))?[\s*_"]{0,4}(?:is|of|:|=|≈|~|at|\(|about|around)[\s*_"≈~]{0,4}$/i.test(
      text.slice(Math.max(0, start - 40), start),
    )
  )
}

/**
 * "8. I checked it.": a number before a full stop at the beginning is the answer and not a list marker where no list follows and nothing else is a number.
 * A 1 is one all the same.
 */
function leadingSentence(text: string): FoundNumber {
  const head = /^[\s*_$"]{0,6}(-?(?:[02-9]|[1-9]\d[\d,]{0,15}))\.[*_"]{0,3}\s{1,3}(?=\p{L})/u.exec(text)
  if (!head || refusal.test(text.slice(head[0].length)) || /\n\s{0,8}(?:\d{1,3}[.)]|[-*•])\s/.test(text)) return none
  const [number] = numberTokens(head[0].slice(0, head[0].lastIndexOf('.')))
  return number ? at(number) : none
}

/** "42 (rounded from 41.6)", or a first line that is nothing but the number where no later word takes it back. */
function leadingNumber(text: string, tokens: readonly NumberToken[]): NumberToken | null {
  const [first, second] = tokens
  if (!first || !second || !/^[\s*_$\\(≈~]{0,8}$/.test(text.slice(0, first.start))) return null
  const line = text.trimEnd()
  const rest = text.slice(first.end, line.length)
  if (!line.includes('\n')) return /^[\s*_%$°)]{0,6}(?:[A-Za-z°/²³]{1,12})?[\s*_]{0,4}[([][^\n]*[)\]][.*_]{0,3}$/.test(rest) ? first : null
  return /^[*_%$°)\\ ]{0,8}[.!]?[*_ ]{0,4}\n\s{0,8}\n[ \t]{0,8}(?:[-*_]{3,20}\s{0,8}\n)?[\s*_#]{0,8}[A-Za-z]/.test(rest) &&
    !isCorrection(rest, 0, rest.length)
    ? first
    : null
}

/** The number of a last line that is nothing else: "18", "A: 18", "= $18". */
function lastLine(text: string): FoundNumber {
  const end = text.trimEnd().length
  const start = text.lastIndexOf('\n', end - 1) + 1
  const head = /^[\s>*_#-]{0,8}(?:(?:A|Ans|Answer)\s?[:.]|=|→|⇒|∴|=>|->)?\s*/i.exec(text.slice(start, end))?.[0].length ?? 0
  const line = text.slice(start + head, end)
  if (start === 0 || line.length > 80 || !/^[\s"'*_$(\\£€-]{0,6}[\d.]/.test(line)) return none
  return shifted(wholeNumber(line.replace(/[.!]?[\s*_]{0,4}$/, '')), start + head)
}

/** The number that a statement of an answer gives: the one it begins with, else what its equation comes to, else its last. */
function readStatement(text: string, { start, end, isEnclosed = false }: AnswerMark): FoundNumber {
  const stretch = text.slice(start, Math.min(end, start + 1000))
  const sentence = /^[^]*?(?:[.!?;](?=\s|$|["')*])|$)/.exec(stretch)?.[0] ?? stretch
  if (deniedStatement.test(sentence)) return none
  const whole = wholeNumber(sentence.replace(/[.!?;]$/, ''))
  if (whole.kind !== 'none') return shifted(whole, start)
  // A box with a pair, an inequality or a formula holds no number; a tag may hold a sentence.
  if (isEnclosed && !/[a-z]{2,} [a-z]{2,}/i.test(sentence)) return none
  if (/[<>≤≥±]|\\(?:pm|leq?|geq?)\b|\\in\b|[([]\s?-?[\d.]+\s?,/.test(sentence)) return none
  const from = afterEquation(sentence, sentence.length)
  const tokens = numberTokens(sentence.slice(from)).map(token => moved(token, from))
  const [first] = tokens
  const last = tokens.at(-1)
  if (!first || !last) return none
  const [, second] = tokens
  const isFirst =
    /^[\s"'*_$({[\\~≈]*(?:\\(?:boxed|text|mathbf|textbf)\{)?(?:(?:approximately|about|around|exactly|roughly|only|just|a total of|at|an? )\s?)*$/i.test(
      sentence.slice(from, first.start),
    )
  const chosen = isFirst ? first : last
  if (second && chosen === first && isAlternative(sentence.slice(first.end, second.start)) && !isEqual(first.value, second.value))
    return shifted({ kind: 'ambiguous', start: first.start, end: second.end }, start)
  if (
    !isFirst &&
    /\b(?:between|either|from)\s/i.test(sentence.slice(from, first.start)) &&
    second &&
    isAlternative(sentence.slice(first.end, second.start))
  )
    return shifted({ kind: 'ambiguous', start: first.start, end: second.end }, start)
  // An expression that is not worked out, as in "3 + 4" or "2\sqrt{3}".
  if (isFirst && /^\s?(?:[+*/×÷^<>]|\\(?:times|cdot|div|sqrt|pi)|-\s?\d)/.test(sentence.slice(first.end))) return none
  return shifted(at(chosen), start)
}

function shifted(found: FoundNumber, by: number): FoundNumber {
  if (found.kind === 'none') return found
  const moves = { start: found.start + by, end: found.end + by }
  return found.kind === 'found' ? { ...found, ...moves, number: moved(found.number, by) } : { ...found, ...moves }
}

interface Tolerance {
  readonly absolute: number
  readonly relative: number
  /** A unit that both state must be the same. */
  readonly compareUnits: boolean
}

/**
 * Whether an answer is the wanted number. "50%" is 50 as well as 0.5, unless both have the sign; "5k" is 5 as well as 5,000; units are
 * ignored unless asked.
 */
export function isSameNumber(a: NumberToken, b: NumberToken, { absolute, relative, compareUnits }: Tolerance): boolean {
  if (compareUnits && unitName(a.unit) !== unitName(b.unit) && b.unit !== '') return false
  const readings =
    a.scaled && b.scaled
      ? [[a.scaled, b.scaled] as const]
      : [[a.value, b.value] as const, [a.scaled ?? a.value, b.scaled ?? b.value] as const]
  return readings.some(([left, right]) => isWithin(left, right, absolute, relative))
}

const unitNames: Readonly<Record<string, string>> = {
  meter: 'm',
  metre: 'm',
  kilometer: 'km',
  kilometre: 'km',
  centimeter: 'cm',
  centimetre: 'cm',
  millimeter: 'mm',
  millimetre: 'mm',
  gram: 'g',
  kilogram: 'kg',
  kilo: 'kg',
  liter: 'l',
  litre: 'l',
  second: 's',
  sec: 's',
  minute: 'min',
  hour: 'h',
  hr: 'h',
  dollar: '$',
  usd: '$',
  euro: '€',
  eur: '€',
  pound: '£',
  gbp: '£',
  percent: '%',
  degree: '°',
  inch: 'in',
  inches: 'in',
  foot: 'ft',
  feet: 'ft',
  kelvin: 'k',
}

function unitName(unit: string): string {
  const lower = unit.toLowerCase()
  const single = lower.length > 3 && lower.endsWith('s') ? lower.slice(0, -1) : lower
  return unitNames[lower] ?? unitNames[single] ?? single
}

export { describeNumber }
