import { type ExactNumber, exactNumber, negative } from './exact-number.ts'

const small = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales: Readonly<Record<string, number>> = { thousand: 1000, million: 1_000_000, billion: 1_000_000_000 }
const word = String.raw`(?:${[...small.toSorted((a, b) => b.length - a.length), ...tens, 'hundred', ...Object.keys(scales)].join('|')})`
const phrase = new RegExp(
  String.raw`^(?<lead>[\s"'*_(:]{0,12}(?:(?:exactly|about|only|just|approximately|a total of|it is|it's|there are)\s{1,3}){0,2})(?<sign>(?:minus|negative)\s{1,3})?(?<words>${word}(?:(?:\s{1,2}and\s{1,2}|[\s-]{1,2})${word}){0,12})(?<rest>[^]*)$`,
  'i',
)
/** What may follow: the end, or what is counted. "One of them" and "two or three" are not answers. */
const end = /^["'*_)\s]{0,6}[.!]?["'*_)\s]{0,6}$/
const counted =
  /^(?:\s{1,2}(?!of\b|or\b|and\b|to\b|more\b|less\b|fewer\b|times\b|percent\b|point\b|halves\b|thirds\b|quarters\b|fifths\b|tenths\b)[a-z]{2,20}){1,2}["'*_)]{0,4}[.!]?\s*$/i

/** The whole number that a text gives in English words, as "forty-two" or "minus five degrees"; null where it says anything else. */
export function numberInWords(text: string): { readonly value: ExactNumber; readonly start: number; readonly end: number } | null {
  const { lead = '', sign = '', words = '', rest = '' } = phrase.exec(text.slice(0, 300))?.groups ?? {}
  const value = valueOf(
    words
      .toLowerCase()
      .split(/[\s-]+/)
      .filter(one => one !== 'and'),
  )
  // "One" is mostly a pronoun.
  if (value === null || !(end.test(rest) || (value !== 1 && counted.test(rest)))) return null
  const exact = exactNumber(String(value))
  return exact && { value: sign === '' ? exact : negative(exact), start: lead.length, end: lead.length + sign.length + words.length }
}

/** Null for words in an order that no number has: "five three". */
function valueOf(words: readonly string[]): number | null {
  let [total, part, least] = [0, 0, Number.POSITIVE_INFINITY]
  let last: 'none' | 'unit' | 'ten' | 'hundred' | 'scale' = 'none'
  for (const one of words) {
    const unit = small.indexOf(one)
    const ten = tens.indexOf(one)
    const scale = scales[one]
    if (unit >= 0) {
      if (last === 'unit' || (last === 'ten' && (unit === 0 || unit > 9))) return null
      part += unit
      last = 'unit'
    } else if (ten >= 0) {
      if (last === 'unit' || last === 'ten') return null
      part += (ten + 2) * 10
      last = 'ten'
    } else if (one === 'hundred') {
      if (part === 0 || part > 99) return null
      part *= 100
      last = 'hundred'
    } else if (scale !== undefined) {
      if (part === 0 || scale >= least) return null
      total += part * scale
      part = 0
      least = scale
      last = 'scale'
    } else return null
  }
  return words.length === 0 ? null : total + part
}
