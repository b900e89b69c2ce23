import { isUpper, splitWords } from '../python/strings.ts'
import { latinLanguages } from './latin-languages.ts'

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
 * The language of a text as an ISO 639-1 code (`zh-cn` for Chinese, `und` when it cannot be told), or null when it has no letters.
 * A heuristic for langdetect, which needs large n-gram tables and is random: the script with the most letters decides, and among
 * languages that share one their most frequent words and particular letters do. Reads the first 20,000 code units.
 */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength)
  if (isUpper(sample) && splitWords(sample).filter(isUpper).length < fewestCapitalWords) return 'und'
  let best: string | null = null
  let most = 0
  for (const [pattern, name] of scripts) {
    const count = sample.match(pattern)?.length ?? 0
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

/** Frequent words of a language, and letters that its neighbours in the same script do not use. */
export interface LanguageMarks {
  readonly words: string
  readonly letters: string
}

const cyrillicLanguages: Readonly<Record<string, LanguageMarks>> = {
  ru: { words: 'и в не на что с как это по но из у за от так же для было быть есть', letters: 'ыэё' },
  uk: { words: 'і в не на що з як це по але із за від так для було бути є та', letters: 'іїєґ' },
  bg: { words: 'и в не на че с как това по но от за са да се е ще при като съм', letters: 'ъ' },
  mk: { words: 'и во не на што со како ова по но од за се да е ќе при тоа сум', letters: 'ѓќѕј' },
}

const arabicLanguages: Readonly<Record<string, LanguageMarks>> = {
  ar: { words: 'في من على إلى أن هذا هذه التي الذي عن مع كان لا ما هو هي كل بعد', letters: 'ةىإأ' },
  fa: { words: 'و در به از که این را با است برای آن یک خود تا بر می هم شد ها', letters: 'پچژگ' },
  ur: { words: 'کے کی میں ہے سے اور کا کو پر نے یہ ہیں کہ ایک بھی اس نہیں تھا گیا', letters: 'ٹڈڑںھہے' },
}

const devanagariLanguages: Readonly<Record<string, LanguageMarks>> = {
  hi: { words: 'के है में की और से का को पर यह हैं कि एक भी इस नहीं था ने हो वह मैं', letters: '' },
  mr: { words: 'आहे आणि च्या मध्ये हे ही या तो ते आहेत नाही एक होते केले असे करून साठी मी', letters: 'ळ' },
  ne: { words: 'छ र को मा ले का लाई यो पनि हो छन् एक गर्न भएको गरेको तथा थियो हुन् म', letters: '' },
}

function bestOf(text: string, languages: Readonly<Record<string, LanguageMarks>>, fallback: string): string {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  let best = fallback
  let highest = 0
  for (const [language, marks] of Object.entries(languages)) {
    let score = 0
    for (const word of marks.words.split(' ')) score += counts.get(word) ?? 0
    for (const letter of marks.letters) score += (text.split(letter).length - 1) * 0.3
    if (score > highest) {
      best = language
      highest = score
    }
  }
  return best
}
