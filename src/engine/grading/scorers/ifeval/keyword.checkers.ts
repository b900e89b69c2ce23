import {
  countOccurrences,
  countOf,
  keywordPattern,
  type MakeChecker,
  occursIn,
  relationOf,
  textOf,
  textsOf,
  wholeWordChecker,
} from './checker.ts'
import { splitSentences } from './split-sentences.ts'
import { strip } from '../python/strings.ts'

export const keywordCheckers: Readonly<Record<string, MakeChecker>> = {
  'keywords:existence': kwargs => {
    const patterns = textsOf(kwargs, 'keywords').map(keyword => keywordPattern(keyword))
    return response => patterns.every(pattern => occursIn(pattern, response))
  },

  'keywords:frequency': kwargs => {
    const pattern = keywordPattern(strip(textOf(kwargs, 'keyword')))
    const frequency = countOf(kwargs, 'frequency')
    const holds = relationOf(kwargs, 'relation')
    return response => holds(countOccurrences(pattern, response), frequency)
  },

  'keywords:forbidden_words': kwargs => {
    const occurrences = textsOf(kwargs, 'forbidden_words').map(wholeWordChecker)
    return response => !occurrences.some(occurs => occurs(response))
  },

  'keywords:key_sentences': kwargs => {
    const wanted = new Set(textsOf(kwargs, 'key_sentences'))
    const count = countOf(kwargs, 'num_sentences')
    return response => {
      const sentences = new Set(splitSentences(response))
      return [...wanted].filter(sentence => sentences.has(sentence)).length === count
    }
  },

  'keywords:letter_frequency': kwargs => {
    const letter = strip(textOf(kwargs, 'letter')).toLowerCase()
    if (letter.length !== 1) throw new Error(`the argument letter must be one character but is ${JSON.stringify(letter)}`)
    const frequency = countOf(kwargs, 'let_frequency')
    const holds = relationOf(kwargs, 'let_relation')
    return response => holds(response.toLowerCase().split(letter).length - 1, frequency)
  },
}
