import { isUpper, splitWords } from '../python/strings.ts'
import { arabicLanguages, cyrillicLanguages, devanagariLanguages, type LanguageMarks, latinLanguages } from './language-marks.ts'

// Scripts that one language of langdetect's list uses alone.
const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Latin}/gu, 'latin'],
  [/\p{Script=Cyrillic}/gu, 'cyrillic'],
  [/\p{Script=Arabic}/gu, 'arabic'],
  [/\p{Script=Devanagari}/gu, 'devanagari'],
  [/\p{Script=Kannada}/gu, 'kn'],
  [/\p{Script=Gurmukhi}/gu, 'pa'],
  [/\p{Script=Gujarati}/gu, 'gu'],
  [/\p{Script=Telugu}/gu, 'te'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Malayalam}/gu, 'ml'],
  [/\p{Script=Bengali}/gu, 'bn'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Greek}/gu, 'el'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh-cn'],
]

const sampleLength = 20_000

/** langdetect skips the inside of words in capitals, so its verdict on fewer of them than this is chance. */
const fewestCapitalWords = 10

/**
 * The language of a text as an ISO 639-1 code (`zh-cn` for Chinese, `und` when undetermined), or null when it has no letters.
 * A heuristic for langdetect, which needs large n-gram tables and is random: the script with the most letters decides, and among
 * languages that share one their most frequent words and particular letters do. Reads the first 20,000 code units.
 */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength)
  if (isUpper(sample) && splitWords(sample).filter(isUpper).length < fewestCapitalWords) return 'und'
  let best: string | null = null
  let most = 0
  // Letters of English are Latin, and nearly all letters of nearly all texts.
  const plain = sample.match(/[A-Za-z]/g)?.length ?? 0
  const others = sample.replace(/[\x00-\x7f]+/g, '')
  for (const [pattern, name] of scripts) {
    const count = (name === 'latin' ? plain : 0) + (others === '' ? 0 : (others.match(pattern)?.length ?? 0))
    // Japanese mixes kana with more Chinese characters than kana, so any kana outweighs them.
    if (count > most || (name === 'zh-cn' && best === 'ja' && count > 0)) {
      if (name === 'zh-cn' && best === 'ja') continue
      best = name
      most = count
    }
  }
  const lower = sample.toLowerCase()
  if (best === 'latin') return bestOf(lower, latinLanguages, 'en')
  if (best === 'cyrillic') return bestOf(lower, cyrillicLanguages, 'ru')
  if (best === 'arabic') return bestOf(lower, arabicLanguages, 'ar')
  if (best === 'devanagari') return bestOf(lower, devanagariLanguages, 'hi')
  return best
}

/** The words and letters of each language, taken apart once. */
const marksOf = new Map<Languages, readonly (readonly [string, readonly string[], readonly string[]])[]>()
type Languages = Readonly<Record<string, LanguageMarks>>

function apart(languages: Languages) {
  const made = Object.entries(languages).map(([language, { words, letters }]) => [language, words.split(' '), [...letters]] as const)
  marksOf.set(languages, made)
  return made
}

function bestOf(text: string, languages: Languages, fallback: string): string {
  const counts = new Map<string, number>()
  const particular = new Map<string, number>()
  for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const char of text.match(/[^\x00-\x7f]/gu) ?? []) particular.set(char, (particular.get(char) ?? 0) + 1)
  let best = fallback
  let highest = 0
  for (const [language, words, letters] of marksOf.get(languages) ?? apart(languages)) {
    let score = 0
    for (const word of words) score += counts.get(word) ?? 0
    for (const letter of letters) score += (particular.get(letter) ?? 0) * 0.3
    if (score > highest) {
      best = language
      highest = score
    }
  }
  return best
}
