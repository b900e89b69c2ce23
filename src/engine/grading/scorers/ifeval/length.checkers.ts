import { countOf, type MakeChecker, relationOf, textOf } from './checker.ts'
import { lstrip, SPACE_CLASS, splitWords, strip, WORD_CLASS } from '../python/strings.ts'
import { countSentences } from './sentences.ts'

const words = new RegExp(`[${WORD_CLASS}]+`, 'gu')
const divider = new RegExp(String.raw`[${SPACE_CLASS}]?\*\*\*[${SPACE_CLASS}]?`, 'u')
const endOfFirstWord = /[.,?!'"]/

export const lengthCheckers: Readonly<Record<string, MakeChecker>> = {
  'length_constraints:number_words': kwargs => {
    const threshold = countOf(kwargs, 'num_words')
    const holds = relationOf(kwargs, 'relation')
    return response => holds(response.match(words)?.length ?? 0, threshold)
  },

  'length_constraints:number_sentences': kwargs => {
    const threshold = countOf(kwargs, 'num_sentences')
    const holds = relationOf(kwargs, 'relation')
    return response => holds(countSentences(response), threshold)
  },

  // Paragraphs are divided by `***`; only the first and the last may be empty.
  'length_constraints:number_paragraphs': kwargs => {
    const wanted = countOf(kwargs, 'num_paragraphs')
    return response => {
      const blank = response.split(divider).map(paragraph => strip(paragraph) === '')
      if (blank.slice(1, -1).includes(true)) return false
      return blank.filter(isBlank => !isBlank).length === wanted
    }
  },

  // Paragraphs are divided by an empty line; blank ones are not counted, but they keep their place.
  'length_constraints:nth_paragraph_first_word': kwargs => {
    const wanted = countOf(kwargs, 'num_paragraphs')
    const nth = countOf(kwargs, 'nth_paragraph')
    const firstWord = textOf(kwargs, 'first_word').toLowerCase()
    return response => {
      const paragraphs = response.split('\n\n')
      const count = paragraphs.filter(paragraph => strip(paragraph) !== '').length
      if (nth > count) return false
      const word = splitWords(paragraphs[nth - 1] ?? '')[0]
      if (word === undefined) return false
      const [start = ''] = lstrip(lstrip(word, "'"), '"').split(endOfFirstWord, 1)
      return count === wanted && start.toLowerCase() === firstWord
    }
  },
}
