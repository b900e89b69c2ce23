import { isFiniteNumberText, parseFloatText, reprFloat, roundHalfEven } from '../python/numbers.ts'
import { ASCII_PUNCTUATION, casefold, removeAsciiPunctuation, splitWords, strip } from '../python/strings.ts'
import { removeArticles } from '../text/squad.ts'

/** SQuAD-like words of an answer as Inspect makes them, in order: `(3.14)` becomes `3.14`, `U.S.` becomes `us`, `the` disappears. */
export function answerWords(text: string, stopWords: readonly string[] = []): readonly string[] {
  const stops = new Set(stopWords.map(normalizeToken))
  const words: string[] = []
  for (const piece of text.split(/[ -]/)) {
    const token = normalizeToken(piece)
    if (stops.has(token)) continue
    // Most pieces are one word.
    if (token.includes(' ')) words.push(...splitWords(token))
    else if (token !== '') words.push(token)
  }
  return words
}

const digit = /\p{Nd}/u

/** What the words of a language come to is looked up: few words make up most of any text. */
const known = new Map<string, string>()
const mostKnown = 8_192
/** A longer piece would keep the whole output in memory that it was cut from. */
const longestKnown = 12

function normalizeToken(token: string): string {
  const found = known.get(token)
  if (found !== undefined) return found
  const normalized = makeNormal(token)
  if (token.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear()
    known.set(token, normalized)
  }
  return normalized
}

function makeNormal(token: string): string {
  if (/^\d{1,15}$/.test(token)) return `${Number(token)}.0`
  // Most tokens hold no digit and so are not a finite number.
  if (!digit.test(token)) return splitWords(removeArticles(removeAsciiPunctuation(casefold(token)))).join(' ')
  const folded = withoutPunctuation(casefold(token))
  const number = isFiniteNumberText(folded) ? reprFloat(parseFloatText(folded) ?? 0) : folded
  return splitWords(removeArticles(number)).join(' ')
}

/** Numbers keep their points and signs; from anything else every punctuation character goes. */
function withoutPunctuation(token: string): string {
  if (isFiniteNumberText(token)) return token
  const bare = strip(token, ASCII_PUNCTUATION)
  return isFiniteNumberText(bare) ? bare : removeAsciiPunctuation(token)
}

/** 1 when the words of the answer are those of a target, in order and number; blank targets never match. */
export function maxExactScore(answer: string, targets: readonly string[]): number {
  const words = answerWords(answer).join(' ')
  return nonBlank(targets).some(target => answerWords(target).join(' ') === words) ? 1 : 0
}

/** The best F1 over the targets on sets of words, to two decimals. */
export function maxF1Score(answer: string, targets: readonly string[], stopWords: readonly string[] = []): number {
  const words = new Set(answerWords(answer, stopWords))
  const scores = nonBlank(targets).map(target => f1OfSets(words, new Set(answerWords(target, stopWords))))
  return roundHalfEven(Math.max(0, ...scores), 2)
}

function nonBlank(targets: readonly string[]): readonly string[] {
  return targets.filter(target => strip(target) !== '')
}

/** An empty side counts as fully matched by the other's measure, as in Inspect. */
function f1OfSets(answer: ReadonlySet<string>, target: ReadonlySet<string>): number {
  let shared = 0
  for (const word of answer) if (target.has(word)) shared++
  const precision = answer.size === 0 ? 1 : shared / answer.size
  const recall = target.size === 0 ? 1 : shared / target.size
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}
