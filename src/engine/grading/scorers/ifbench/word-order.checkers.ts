import { countOf, type MakeChecker, textOf } from '../ifeval/checker.ts'
import { splitSentences } from '../ifeval/split-sentences.ts'
import { ASCII_PUNCTUATION, lstrip, rstrip, splitWords, strip } from '../python/strings.ts'
import { countSyllables } from './syllables.ts'
import { isVerb } from './verbs.ts'
import { bare, plainWords } from './words.ts'

const edges = `${ASCII_PUNCTUATION} `
const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/
const longestPrime = 100
const primes = new Set(
  Array.from({ length: longestPrime }, (_, n) => n).filter(
    n => n > 1 && Array.from({ length: n - 2 }, (_, i) => i + 2).every(d => n % d !== 0),
  ),
)

export const wordOrderCheckers: Readonly<Record<string, MakeChecker>> = {
  'words:alphabet': () => response => {
    const [first = '', ...words] = plainWords(response)
    let at = alphabet.indexOf(first.charAt(0).toLowerCase() || ' ')
    if (at < 0) return false
    return words.every(word => word.charAt(0).toLowerCase() === alphabet[(at = (at + 1) % 26)])
  },

  'words:consonants': () => response => splitWords(response.toLowerCase()).every(word => /[b-df-hj-np-tv-z]{2}/.test(word)),

  'words:no_consecutive': () => response =>
    pairs(plainWords(response.toLowerCase())).every(([word, next]) => word.charAt(0) !== next.charAt(0)),

  'words:odd_even_syllables': () => response =>
    pairs(
      splitWords(response)
        .filter(word => bare(word) !== '')
        .map(word => countSyllables(word) % 2),
    ).every(([one, next]) => one !== next),

  'words:prime_lengths': () => response => plainWords(response).every(word => primes.has([...word].length)),

  'count:words_japanese': kwargs => {
    const every = countOf(kwargs, 'N')
    return response =>
      splitWords(response).every((word, i) => {
        const core = bare(word)
        return (i + 1) % every !== 0 || core === '' || /^\p{Nd}+$/u.test(core) || japanese.test(core)
      })
  },

  'words:start_verb': () => response => isVerb(/[\p{L}\p{N}'’-]+/u.exec(response)?.[0] ?? ''),

  'words:words_position': kwargs => {
    const keyword = textOf(kwargs, 'keyword')
    return response => {
      const words = tokens(response)
      return words[1] === keyword && words.at(-2) === keyword
    }
  },

  'words:keywords_specific_position': kwargs => {
    const [sentence, word, keyword] = [countOf(kwargs, 'n'), countOf(kwargs, 'm'), textOf(kwargs, 'keyword')]
    return response => tokens(splitSentences(response)[sentence - 1] ?? '')[word - 1] === keyword
  },

  'words:last_first': () => response =>
    pairs(splitSentences(response)).every(([sentence, next]) => {
      const last = splitWords(rstrip(sentence, edges)).at(-1)
      const first = splitWords(lstrip(next, edges))[0]
      return last !== undefined && bare(last).toLowerCase() === bare(first ?? '').toLowerCase()
    }),

  'words:paragraph_last_first': () => response =>
    response.split('\n').every(paragraph => {
      const words = splitWords(strip(strip(paragraph).toLowerCase(), edges))
      return words[0] === words.at(-1)
    }),

  'sentence:keyword': kwargs => {
    const [sentence, word] = [countOf(kwargs, 'N'), textOf(kwargs, 'word').toLowerCase()]
    return response => (splitSentences(response)[sentence - 1] ?? '').toLowerCase().includes(word)
  },

  'sentence:increment': kwargs => {
    const more = countOf(kwargs, 'small_n')
    return response => pairs(splitSentences(response).map(countWords)).every(([count, next]) => next === count + more)
  },

  'sentence:alliteration_increment': () => response => {
    const lengths = splitSentences(response).map(alliteration)
    return lengths.every((length, i) => length > (lengths[i - 1] ?? -1))
  },

  'ratio:sentence_type': () => response => {
    const [declarative, interrogative] = endings(response)
    return declarative === 2 * interrogative
  },

  'ratio:sentence_balance': () => response => {
    const [declarative, interrogative, exclamatory] = endings(response)
    return declarative === interrogative && interrogative === exclamatory
  },

  'ratio:sentence_words': () => response => {
    const sentences = splitSentences(response)
    const words = sentences.flatMap(sentence => plainWords(sentence.toLowerCase()))
    return sentences.length === 3 && new Set(sentences.map(({ length }) => length)).size === 1 && new Set(words).size === words.length
  },
}

function pairs<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((item, i) => {
    const next = items[i + 1]
    return next === undefined ? [] : [[item, next] as const]
  })
}

/** Words with what is joined to them, without punctuation. */
function tokens(text: string): readonly string[] {
  return splitWords(text)
    .map(bare)
    .filter(word => word !== '')
}

function countWords(sentence: string): number {
  return splitWords(sentence).filter(word => bare(word) !== '').length
}

/** Sentences that end in a full stop, a question mark and an exclamation mark. */
function endings(text: string): readonly [number, number, number] {
  const sentences = splitSentences(text)
  const count = (mark: string) => sentences.filter(sentence => sentence.endsWith(mark)).length
  return [count('.'), count('?'), count('!')]
}

/** Words that begin with the same letter as a neighbor, all runs together. */
function alliteration(sentence: string): number {
  const words = splitWords(sentence.toLowerCase())
    .map(word => lstrip(word, edges))
    .filter(word => word !== '')
  let count = 0
  let isRun = false
  for (const [word, next] of pairs(words)) {
    const isSame = word.charAt(0) === next.charAt(0)
    count += isSame ? (isRun ? 1 : 2) : 0
    isRun = isSame
  }
  return count
}
