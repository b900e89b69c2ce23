import { isLower, isUpper } from '../python/strings.ts'
import { countCapitalWords } from './capital-words.ts'
import { countOf, type MakeChecker, relationOf, textOf } from './checker.ts'
import { detectLanguage } from './detect-language.ts'

/** Where no language can be detected the original counts the instruction as followed. */
function isIn(language: string, response: string): boolean {
  const detected = detectLanguage(response)
  return detected === null || detected === language
}

export const languageCheckers: Readonly<Record<string, MakeChecker>> = {
  'language:response_language': kwargs => {
    const language = textOf(kwargs, 'language')
    return response => isIn(language, response)
  },

  'change_case:english_capital': () => response => isUpper(response) && isIn('en', response),

  'change_case:english_lowercase': () => response => isLower(response) && isIn('en', response),

  'change_case:capital_word_frequency': kwargs => {
    const frequency = countOf(kwargs, 'capital_frequency')
    const holds = relationOf(kwargs, 'capital_relation')
    return response => holds(countCapitalWords(response), frequency)
  },
}
