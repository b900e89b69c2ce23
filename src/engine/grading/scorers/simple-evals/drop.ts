import { parseFloatText, reprFloat, roundHalfEven } from '../python/numbers.ts'
import { removeAsciiPunctuation, splitWords, strip } from '../python/strings.ts'
import { removeArticles } from '../text/squad.ts'

export interface DropScores {
  /** 0 or 1. */
  readonly em: number
  /** 0 to 100, two decimals. */
  readonly f1: number
}

/** The best exact match and F1 of an answer over the references that are not blank; null when all are blank. */
export function dropScores(answer: string, references: readonly string[]): DropScores | null {
  const words = normalizedWords(answer)
  const scores = references.filter(reference => strip(reference) !== '').map(reference => compare(words, normalizedWords(reference)))
  if (scores.length === 0) return null
  return { em: Math.max(...scores.map(({ em }) => em)), f1: roundHalfEven(Math.max(...scores.map(({ f1 }) => f1)) * 100, 2) }
}

/**
 * The same over references that may have several parts, as lm-evaluation-harness rounds it: both in [0, 1], F1 to two decimals. The answer
 * is one part, so the best pairing leaves every further part of a reference with nothing.
 */
export function dropSpanScores(answer: string, references: readonly (readonly string[])[]): DropScores | null {
  const words = normalizedWords(answer)
  const scores = references
    .filter(([first = '']) => strip(first) !== '')
    .map(spans => {
      const parts = spans.map(span => compare(words, normalizedWords(span)))
      return {
        em: spans.length === 1 ? (parts[0]?.em ?? 0) : 0,
        f1: roundHalfEven(Math.max(...parts.map(({ f1 }) => f1)) / spans.length, 2),
      }
    })
  if (scores.length === 0) return null
  return { em: Math.max(...scores.map(({ em }) => em)), f1: Math.max(...scores.map(({ f1 }) => f1)) }
}

/** With one span on either side the optimal alignment is that one pair. */
function compare(answer: readonly string[], gold: readonly string[]): DropScores {
  const answerBag = new Set(answer)
  const goldBag = new Set(gold)
  const f1 = numbersMatch(answerBag, goldBag) ? f1OfBags(answerBag, goldBag) : 0
  return { em: answer.join(' ') === gold.join(' ') ? 1 : 0, f1 }
}

function f1OfBags(answer: ReadonlySet<string>, gold: ReadonlySet<string>): number {
  const shared = [...gold].filter(word => answer.has(word)).length
  const precision = answer.size === 0 ? 1 : shared / answer.size
  const recall = gold.size === 0 ? 1 : shared / gold.size
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}

/** A reference with numbers is only matched by an answer that has one of them. */
function numbersMatch(answer: ReadonlySet<string>, gold: ReadonlySet<string>): boolean {
  const numbers = [...gold].filter(word => parseFloatText(word) !== null)
  return numbers.length === 0 || numbers.some(number => answer.has(number))
}

function normalizedWords(text: string): readonly string[] {
  const tokens = text.split(/[ -]/).map(token => {
    const lower = token.toLowerCase()
    const bare = parseFloatText(lower) === null ? removeAsciiPunctuation(lower) : lower
    const number = parseFloatText(bare)
    return removeArticles(number === null ? bare : reprFloat(number))
  })
  return splitWords(tokens.join(' '))
}
