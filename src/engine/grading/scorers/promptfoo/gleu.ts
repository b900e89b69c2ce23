import { countNgrams, sharedNgrams, totalNgrams } from '../text/ngrams.ts'

const lengths = [1, 2, 3, 4] as const

/** promptfoo's GLEU of a text against the closest of several references, on lower-case words without dots at their ends; in [0, 1]. */
export function promptfooGleu(output: string, references: readonly string[]): number {
  if (output.trim() === '') return 0
  const words = wordsOf(output)
  const counts = lengths.map(n => countNgrams(words, n))
  return Math.max(...references.map(reference => gleuOf(counts, words, wordsOf(reference))))
}

function gleuOf(counts: readonly ReadonlyMap<string, number>[], words: readonly string[], wanted: readonly string[]): number {
  if (words.length === wanted.length && words.every((word, i) => word === wanted[i])) return 1
  const others = lengths.map(n => countNgrams(wanted, n))
  const shared = sum(counts.map((own, i) => sharedNgrams(own, others[i] ?? new Map())))
  return shared / Math.max(sum(counts.map(totalNgrams)), sum(others.map(totalNgrams)))
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().trim().split(/\s+/).map(withoutDots)
}

function withoutDots(word: string): string {
  let end = word.length
  while (word[end - 1] === '.') end--
  return word.slice(0, end)
}
