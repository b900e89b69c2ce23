import { removeAsciiPunctuation, splitWords, WORD_CLASS } from '../python/strings.ts'

const articles = new RegExp(`(?<![${WORD_CLASS}])(?:a|an|the)(?![${WORD_CLASS}])`, 'gu')

/** What must hold of a text with an article in it; much faster to test. */
const mayHoldArticle = /(?:^|[^a-z])(?:an?|the)(?:[^a-z]|$)/

/** Replaces each English article by a space. For text in lower case. */
export function removeArticles(text: string): string {
  return mayHoldArticle.test(text) ? text.replace(articles, ' ') : text
}

/** The normalization of SQuAD, used by many tools: lower case, no ASCII punctuation, no English articles, single spaces. */
export function normalizeAnswer(text: string): string {
  return splitWords(removeArticles(removeAsciiPunctuation(text.toLowerCase()))).join(' ')
}

/** F1 on the bags of normalized words; 0 when they share none. */
export function wordF1(answer: string, target: string): number {
  const words = splitWords(normalizeAnswer(answer))
  const wanted = splitWords(normalizeAnswer(target))
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count > 0) shared++
    left.set(word, count - 1)
  }
  return shared === 0 ? 0 : (2 * shared) / (words.length + wanted.length)
}

/** One normalized text within the other; an empty one only matches an empty one. */
export function fuzzyMatch(a: string, b: string): boolean {
  const left = normalizeAnswer(a)
  const right = normalizeAnswer(b)
  if (left === '' || right === '') return left === right
  return left.includes(right) || right.includes(left)
}
