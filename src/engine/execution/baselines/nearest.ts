import { wordsIn } from './answer-form.ts'

/** Usual constants of BM25 (Robertson and Zaragoza 2009, section 3.2): saturation of repeated words, and weight of a passage's length. */
const k1 = 1.2
const b = 0.75

/** The passage with the highest BM25 score for the query; the first of equals. Null when there are none. */
export function nearestPassage(passages: readonly string[], query: string): string | null {
  const bags = passages.map(bagOf)
  const averageLength = bags.reduce((sum, bag) => sum + bag.length, 0) / Math.max(1, bags.length)
  let best: string | null = null
  let bestScore = Number.NEGATIVE_INFINITY
  for (const [i, passage] of passages.entries()) {
    const bag = bags[i]
    const score = bag ? bm25(bag, bags, averageLength, query) : 0
    if (score > bestScore) {
      best = passage
      bestScore = score
    }
  }
  return best
}

interface Bag {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

function bagOf(text: string): Bag {
  const words = wordsIn(text.toLowerCase())
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, length: words.length }
}

function bm25(bag: Bag, all: readonly Bag[], averageLength: number, query: string): number {
  let score = 0
  for (const word of new Set(wordsIn(query.toLowerCase()))) {
    const count = bag.counts.get(word)
    if (count === undefined) continue
    const holders = all.filter(other => other.counts.has(word)).length
    // With the 1 added, a word of most passages never counts against one (the variant that Lucene uses).
    const rarity = Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5))
    score += (rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * bag.length) / averageLength))
  }
  return score
}
