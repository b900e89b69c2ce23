import { lastBoxed } from '../../patterns/boxed.ts'
import { splitLines, strip } from '../../python/strings.ts'
import { MathLimitError } from './errors.ts'

const longestOutput = 1_000_000
const longestCandidate = 4096
/** A composite answer mixes words and formulas, as in "odd $n$", and is compared as text. */
const longestComposite = 512

const boxOpening = /(?:\\(?:beginboxed|boxed|fbox)|(?<![A-Za-z\\])(?:boxed|fbox|oxed))\s{0,8}\{/g
const answerMarker = /(?:(?:final\s{1,8})?answer|result)\s{0,8}(?:is\b|[:=])\s{0,8}/gi
const number = /[-+]?(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?\s{0,3}%?/g
const wordOfLetters = /[A-Za-z]{2,}/

const replacements: readonly (readonly [string, string])[] = [
  ['√', '\\sqrt'],
  ['×', '\\cdot '],
  ['÷', '/'],
  ['\u202f', ' '],
  ['−', '-'],
  ['–', '-'],
  ['π', '\\pi '],
  ['°', '^\\circ'],
  ['∞', '\\infty '],
  ['≤', '\\le '],
  ['≥', '\\ge '],
  ['≠', '\\ne '],
  ['∪', '\\cup '],
  ['∩', '\\cap '],
]

/** Mathematical characters as LaTeX, and control characters gone. */
function withoutUnicode(text: string): string {
  const clean = text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
  return replacements.reduce((result, [char, latex]) => result.replaceAll(char, latex), clean)
}

/**
 * Where an output may hold its answer, the likeliest first: the last box, what follows the last "answer is", a short composite, the
 * last formula in delimiters, the whole text, its last line, its last number.
 * @throws MathLimitError for more than a million characters
 */
export function* answerCandidates(output: string): Generator<string> {
  if (output.length > longestOutput) throw new MathLimitError('the output has more than a million characters')
  yield* candidatesFrom(placesOf(withoutUnicode(output)))
}

/** One after the other, because the first mostly settles it. */
function* placesOf(text: string): Generator<string | undefined> {
  yield lastBoxed(text, boxOpening)?.text
  yield afterMarker(text)
  const isComposite = isShortComposite(text)
  if (isComposite) yield text
  yield lastDelimited(text)
  if (!isComposite && text.length <= longestCandidate) yield text
  yield splitLines(text).findLast(line => strip(line) !== '')
  yield lastMatchOf(number, text)
}

/** What a target may mean: its last box, else all of it. */
export function targetCandidates(target: string): Iterable<string> {
  const text = withoutUnicode(target)
  return candidatesFrom([lastBoxed(text, boxOpening)?.text, text])
}

function* candidatesFrom(places: Iterable<string | undefined>): Generator<string> {
  const seen = new Set([''])
  for (const place of places) {
    if (place === undefined) continue
    const text = stripDelimiters(place.slice(0, longestCandidate + 2))
    if (!seen.has(text)) yield text
    seen.add(text)
  }
}

function afterMarker(text: string): string | undefined {
  const last = lastMatchOf(answerMarker, text)
  if (last === undefined) return undefined
  return splitLines(text.slice(text.lastIndexOf(last) + last.length))[0]
}

function lastMatchOf(pattern: RegExp, text: string): string | undefined {
  let last: string | undefined
  for (const match of text.matchAll(pattern)) last = match[0]
  return last
}

/** The formula between the delimiters that close last. */
function lastDelimited(text: string): string | undefined {
  const found: { end: number; inside: string }[] = []
  for (const [opening, closing] of [
    ['$$', '$$'],
    ['\\[', '\\]'],
    ['\\(', '\\)'],
  ] as const) {
    const end = text.lastIndexOf(closing)
    const start = end <= 0 ? -1 : text.lastIndexOf(opening, end - opening.length)
    if (start >= 0 && start + opening.length <= end) found.push({ end, inside: text.slice(start + opening.length, end) })
  }
  const singles = Array.from(text.matchAll(/(?<![\\$])\$(?!\$)/g), match => match.index)
  const pairs = singles.length >> 1
  const [open, close] = singles.slice(pairs * 2 - 2, pairs * 2)
  if (open !== undefined && close !== undefined) found.push({ end: close, inside: text.slice(open + 1, close) })
  return found.reduce<(typeof found)[number] | undefined>((best, each) => (best && best.end >= each.end ? best : each), undefined)?.inside
}

/** Without the delimiters, emphasis, spacing commands and punctuation around a formula. */
export function stripDelimiters(text: string): string {
  let bare = strip(text)
  while (bare.length >= 4 && bare.startsWith('**') && bare.endsWith('**')) bare = strip(bare.slice(2, -2))
  for (const [opening, closing] of [
    ['$$', '$$'],
    ['\\[', '\\]'],
    ['\\(', '\\)'],
    ['$', '$'],
  ] as const) {
    const isOnlyPair = opening !== '$' || bare.split('$').length === 3
    if (bare.length >= opening.length * 2 && bare.startsWith(opening) && bare.endsWith(closing) && isOnlyPair)
      bare = strip(bare.slice(opening.length, -closing.length))
  }
  return bare.replace(/^(?:(?:\\[,;:!]|\\q?quad)\s*)+/, '').replace(/(?:\\[,;:!]|\\q?quad|[\s.,;:])+$/, '')
}

/** Words together with formulas in delimiters, at most three lines. */
export function isShortComposite(text: string): boolean {
  if (text.length > longestComposite || text.split('\n').length > 3) return false
  if (!text.includes('$') && !text.includes('\\(') && !text.includes('\\[')) return false
  if (text.includes('\n') && text.split('$').length > 4) return true
  return wordOfLetters.test(text.replace(/\$\$[^]{0,512}?\$\$|\$[^]{0,512}?\$|\\\([^]{0,512}?\\\)|\\\[[^]{0,512}?\\\]/g, ' '))
}

/**
 * Two or more words and nothing that a formula would have, or in several lines, or five words outside of commands and their arguments.
 * Inspect's parser fails on the latter two; ours would read them as products of letters.
 */
export function looksLikeProse(candidate: string): boolean {
  const words = candidate.replace(/\\[A-Za-z]+(?:\s{0,8}\{[^{}]*\})?/g, ' ').match(/[A-Za-z]{2,}/g)?.length ?? 0
  return words >= 5 || (words >= 2 && candidate.includes('\n')) || (words >= 2 && !/[\\=+\-*/^<>[\]{}()]/.test(candidate))
}
