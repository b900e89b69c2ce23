import { ASCII_PUNCTUATION, removeAsciiPunctuation, splitWords, strip, WORD_CLASS } from '../python/strings.ts'

const word = new RegExp(`[${WORD_CLASS}]+`, 'gu')

/** Runs of letters, digits and `_`. */
export function wordsOf(text: string): readonly string[] {
  return text.match(word) ?? []
}

/** A word without punctuation around it. */
export function bare(text: string): string {
  return strip(text, `${ASCII_PUNCTUATION} `)
}

export function withoutPunctuation(text: string): string {
  return removeAsciiPunctuation(text)
}

/** Words between white space, once all punctuation is taken out. */
export function plainWords(text: string): readonly string[] {
  return splitWords(removeAsciiPunctuation(text))
}
