import { ASCII_PUNCTUATION, splitWords } from '../python/strings.ts'
import { countNgrams, sharedNgrams, totalNgrams } from './ngrams.ts'

export const usualCharacterOrder = 6

export interface ChrfSettings {
  /** Longest run of words beside the characters: 0 for chrF, 2 for chrF++. */
  readonly wordOrder: number
  /** How much more recall counts than precision. */
  readonly beta: number
  /** Longest run of characters; 6 unless told. */
  readonly characterOrder?: number | undefined
  readonly lowercase?: boolean | undefined
  /** Whether blanks are characters. */
  readonly whitespace?: boolean | undefined
  /** As NLTK and Moses smooth: the mean of each order's own F over all orders, also those without an n-gram. */
  readonly epsSmoothing?: boolean | undefined
}

/** N-grams of the output, of the reference and of both, by order: characters first, then words. */
export type ChrfCounts = readonly { readonly output: number; readonly wanted: number; readonly shared: number }[]

/** Counts of one output against the reference that it is closest to. */
export function chrfCounts(output: string, references: readonly string[], settings: ChrfSettings): ChrfCounts {
  const own = grams(output, settings)
  let best: { readonly counts: ChrfCounts; readonly score: number } | null = null
  for (const reference of references) {
    const counts = grams(reference, settings).map((wanted, i) => {
      const mine = own[i] ?? new Map<string, number>()
      // N-grams of an order that the reference is too short for are not mistakes.
      return { output: wanted.size > 0 ? totalNgrams(mine) : 0, wanted: totalNgrams(wanted), shared: sharedNgrams(mine, wanted) }
    })
    const score = chrfScore(counts, settings)
    if (!best || score > best.score) best = { counts, score }
  }
  return best?.counts ?? []
}

const eps = 1e-16

/** chrF in [0, 1], over the orders that both sides have n-grams of. Popović (2015, 2017), as sacrebleu computes it. */
export function chrfScore(
  counts: ChrfCounts,
  { beta, epsSmoothing = false, wordOrder, characterOrder = usualCharacterOrder }: ChrfSettings,
): number {
  if (epsSmoothing) return meanOfOrders(counts, beta, characterOrder + wordOrder)
  const orders = counts.filter(({ output, wanted }) => output > 0 && wanted > 0)
  if (orders.length === 0) return 0
  const precision = orders.reduce((sum, { shared, output }) => sum + shared / output, 0) / orders.length
  const recall = orders.reduce((sum, { shared, wanted }) => sum + shared / wanted, 0) / orders.length
  const factor = beta ** 2
  return precision + recall === 0 ? 0 : ((1 + factor) * precision * recall) / (factor * precision + recall)
}

function meanOfOrders(counts: ChrfCounts, beta: number, orders: number): number {
  const factor = beta ** 2
  const sum = counts.slice(0, orders).reduce((all, { output, wanted, shared }) => {
    const precision = output > 0 ? shared / output : eps
    const recall = wanted > 0 ? shared / wanted : eps
    const below = factor * precision + recall
    return all + (below > 0 ? ((1 + factor) * precision * recall) / below : eps)
  }, 0)
  return sum / orders
}

function grams(
  written: string,
  { wordOrder, characterOrder = usualCharacterOrder, lowercase = false, whitespace = false }: ChrfSettings,
): Map<string, number>[] {
  const text = lowercase ? written.toLowerCase() : written
  const characters = [...(whitespace ? text : splitWords(text).join(''))]
  const words = wordOrder > 0 ? splitWords(text).flatMap(withoutMarks) : []
  return [
    ...Array.from({ length: characterOrder }, (_, i) => countNgrams(characters, i + 1)),
    ...Array.from({ length: wordOrder }, (_, i) => countNgrams(words, i + 1)),
  ]
}

/** One punctuation mark at the end of a word, or else at its start, is a word of its own. */
function withoutMarks(word: string): string[] {
  if (word.length === 1) return [word]
  if (ASCII_PUNCTUATION.includes(word.slice(-1))) return [word.slice(0, -1), word.slice(-1)]
  return ASCII_PUNCTUATION.includes(word.slice(0, 1)) ? [word.slice(0, 1), word.slice(1)] : [word]
}
