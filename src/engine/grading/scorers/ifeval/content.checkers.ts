import { SPACE_CLASS, strip, WORD_CLASS } from '../python/strings.ts'
import { countOf, keywordPattern, type MakeChecker, occursIn, textOf } from './checker.ts'

const words = new RegExp(`[${WORD_CLASS}]+`, 'gu')
// The original's patterns begin with \s* and end with .*$, which match everywhere and so decide nothing.
const postscripts: Readonly<Record<string, RegExp>> = {
  'P.S.': new RegExp(String.raw`p\.[${SPACE_CLASS}]?s\.`, 'u'),
  'P.P.S': new RegExp(String.raw`p\.[${SPACE_CLASS}]?p\.[${SPACE_CLASS}]?s`, 'u'),
}

export const contentCheckers: Readonly<Record<string, MakeChecker>> = {
  'detectable_content:number_placeholders': kwargs => {
    const wanted = countOf(kwargs, 'num_placeholders')
    return response => countPlaceholders(response) >= wanted
  },

  'detectable_content:postscript': kwargs => {
    const marker = strip(textOf(kwargs, 'postscript_marker'))
    const known = postscripts[marker]
    if (known) return response => known.test(response.toLowerCase())
    const pattern = keywordPattern(marker.toLowerCase(), false)
    return response => occursIn(pattern, response.toLowerCase())
  },

  'detectable_content:rephrase_paragraph': kwargs => {
    const original = countWords(textOf(kwargs, 'original_paragraph'))
    const low = countOf(kwargs, 'low')
    const high = countOf(kwargs, 'high')
    return response => {
      const counts = countWords(response)
      let shared = 0
      for (const [word, count] of original) shared += Math.min(count, counts.get(word) ?? 0)
      return shared >= low && shared <= high
    }
  },

  'combination:two_responses': () => response => {
    const parts = response.split('******').map(part => strip(part))
    if (parts.slice(1, -1).includes('')) return false
    const given = parts.filter(part => part !== '')
    return given.length === 2 && given[0] !== given[1]
  },

  'combination:repeat_prompt': kwargs => {
    const prompt = strip(textOf(kwargs, 'prompt_to_repeat')).toLowerCase()
    return response => strip(response).toLowerCase().startsWith(prompt)
  },

  'startend:end_checker': kwargs => {
    const phrase = strip(textOf(kwargs, 'end_phrase')).toLowerCase()
    return response => strip(strip(response), '"').toLowerCase().endsWith(phrase)
  },

  'startend:quotation': () => response => {
    const text = strip(response)
    return text.length > 1 && text.startsWith('"') && text.endsWith('"')
  },

  'punctuation:no_comma': () => response => !response.includes(','),
}

/** Matches of `\[.*?\]`: a bracket that closes on the same line. */
function countPlaceholders(text: string): number {
  let count = 0
  for (const line of text.split('\n')) {
    for (let open = line.indexOf('['); open >= 0; ) {
      const close = line.indexOf(']', open + 1)
      if (close < 0) break
      count++
      open = line.indexOf('[', close + 1)
    }
  }
  return count
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(words) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
