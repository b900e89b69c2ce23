import { countOf, type MakeChecker, textOf } from '../ifeval/checker.ts'
import { splitWords, strip } from '../python/strings.ts'
import { bare, plainWords, withoutPunctuation, wordsOf } from './words.ts'

const conjunctions = new Set('and but for nor or so yet'.split(' '))
const pronouns = new Set(
  (
    'i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself ' +
    'they them their theirs themselves'
  ).split(' '),
)
const names = (
  'Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia Benjamin Harper Leo Zoe Daniel Chloe ' +
  'Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett Nathan Victoria Elijah Layla Nicholas Audrey David Hannah Christopher ' +
  'Penelope Thomas Nora Andrew Aria Joseph Claire Ryan Stella Jonathan'
).split(' ')
/** NLTK's list for English, which IFBench takes. */
const stopWords = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them ' +
    'their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing ' +
    'a an the and but if or because as until while of at by for with about against between into through during before after above below to ' +
    'from up down in out on off over under again further then once here there when where why how all any both each few more most other some ' +
    'such no nor not only own same so than too very s t can will just don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn ' +
    'haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn'
  ).split(' '),
)
const repetitions = [1, 2, 3, 5, 7]

export const countCheckers: Readonly<Record<string, MakeChecker>> = {
  'count:word_count_range': kwargs => {
    const [least, most] = [countOf(kwargs, 'min_words'), countOf(kwargs, 'max_words')]
    return response => {
      const count = wordsOf(response).length
      return least <= count && count <= most
    }
  },

  'count:unique_word_count': kwargs => {
    const wanted = countOf(kwargs, 'N')
    return response => new Set(splitWords(response.toLowerCase()).map(bare)).size >= wanted
  },

  'count:conjunctions': kwargs => {
    const wanted = countOf(kwargs, 'small_n')
    return response => new Set(splitWords(response).filter(word => conjunctions.has(bare(word).toLowerCase()))).size >= wanted
  },

  'count:numbers': kwargs => {
    const wanted = countOf(kwargs, 'N')
    // With its decimal point and grouping a number is one.
    return response => (withoutPunctuation(response).match(/\p{Nd}+/gu) ?? []).length === wanted
  },

  'count:person_names': kwargs => {
    const wanted = countOf(kwargs, 'N')
    return response => {
      const words = new Set(wordsOf(response))
      return names.filter(name => words.has(name)).length >= wanted
    }
  },

  'count:pronouns': kwargs => {
    const wanted = countOf(kwargs, 'N')
    return response => wordsOf(response.toLowerCase()).filter(word => pronouns.has(word)).length >= wanted
  },

  'count:punctuation': () => response => {
    if (!['!?', '?!', '‽'].some(mark => response.includes(mark))) return false
    const rest = response.includes('?!') ? response.replace('?!', '') : response.replace('!?', '')
    return [...'.,!?;:'].every(mark => rest.includes(mark))
  },

  'count:keywords_multiple': kwargs => {
    const keywords = repetitions.map((_, i) => textOf(kwargs, `keyword${i + 1}`).toLowerCase())
    return response => {
      const text = response.toLowerCase()
      return keywords.every((keyword, i) => text.split(keyword).length - 1 === repetitions[i])
    }
  },

  'ratio:stop_words': kwargs => {
    const most = countOf(kwargs, 'percentage')
    return response => {
      const words = wordsOf(response)
      return (words.filter(word => stopWords.has(word.toLowerCase())).length / words.length) * 100 <= most
    }
  },

  'ratio:overlap': kwargs => {
    const reference = trigrams(textOf(kwargs, 'reference_text'))
    const wanted = countOf(kwargs, 'percentage')
    return response => {
      const own = trigrams(response)
      const share = ([...own].filter(each => reference.has(each)).length / own.size) * 100
      return wanted - 2 <= share && share <= wanted + 2
    }
  },

  'words:repeats': kwargs => {
    const most = countOf(kwargs, 'small_n')
    return response => {
      const counts = new Map<string, number>()
      for (const word of splitWords(response.toLowerCase()).map(bare)) counts.set(word, (counts.get(word) ?? 0) + 1)
      return [...counts.values()].every(count => count <= most)
    }
  },

  'words:palindrome': () => response =>
    plainWords(response.toLowerCase()).filter(word => word.length >= 5 && word === [...word].toReversed().join('')).length >= 10,

  'words:vowel': () => response => {
    const text = strip(response).toLowerCase()
    return !text.includes('\n') && [...'aeiou'].filter(vowel => text.includes(vowel)).length <= 3
  },
}

/** Of characters, as IFBench takes them. */
function trigrams(text: string): ReadonlySet<string> {
  const chars = [...text]
  return new Set(chars.slice(2).map((_, i) => chars.slice(i, i + 3).join('')))
}
