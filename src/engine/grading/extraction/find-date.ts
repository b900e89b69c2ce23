import { answerMarks } from './answer-marks.ts'
import { readable } from './readable.ts'
import { unmarked } from './unmarked.ts'

/** Which of two small numbers is the day where a date is all digits. */
export type DayOrder = 'day_first' | 'month_first' | 'unknown'

export type FoundDate =
  /** `iso` is `2024-05-01`, `2024-05` or `2024`, as far as the text says. */
  | { readonly kind: 'found'; readonly iso: string; readonly start: number; readonly end: number }
  /** "05/06/2024" under no order. */
  | { readonly kind: 'ambiguous'; readonly start: number; readonly end: number }
  | { readonly kind: 'none' }

const monthNames = [
  'january february march april may june july august september october november december',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'jan feb mar apr may jun jul aug sep oct nov dec',
].map(names => names.split(' '))
const monthOf = new Map([...monthNames.flatMap(names => names.map((name, i) => [name, i + 1] as const)), ['sept', 9]])
const month = String.raw`(?<name>${[...monthOf.keys()].toSorted((a, b) => b.length - a.length).join('|')})\.?`
const year = String.raw`(?<year>\d{4})`
/** "1 May '24": of this century up to 50. */
const shortYear = String.raw`'(?<short>\d\d)`
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er)?`
const patterns: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\d.])${year}[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)`, 'g'),
  new RegExp(String.raw`(?<![\d])${year} ?年 ?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?日`, 'g'),
  new RegExp(String.raw`(?<!\d[/.-]?)(?<a>\d{1,2})(?<mark>[-/.])(?<b>\d{1,2})\k<mark>${year}(?!\d)`, 'g'),
  new RegExp(String.raw`\b${month}\s{1,2}(?:the )?${day},?\s{1,2}${year}\b`, 'gi'),
  new RegExp(String.raw`(?<!\d)${day}\.?[\s-]{1,2}(?:of |de |d')?${month},?[\s-]{1,2}(?:de |del )?${year}\b`, 'gi'),
  new RegExp(String.raw`(?<!\d)${day}\.?\s{1,2}(?:of )?${month},?\s{1,2}${shortYear}(?!\d)`, 'gi'),
  new RegExp(String.raw`\b${month}\s{1,2}${day},?\s{1,2}${shortYear}(?!\d)`, 'gi'),
  new RegExp(String.raw`(?<![\d.,-])(?<year>(?:19|20)\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])(?![\d]|[.,-]\d)`, 'g'),
  new RegExp(String.raw`(?<!\d[ .-]?)\b${month},?\s{1,2}${year}\b`, 'gi'),
  new RegExp(String.raw`(?<![\d./-])${year}-(?<month>0[1-9]|1[0-2])(?![\d]|[-/.]\d)`, 'g'),
  new RegExp(String.raw`(?<![\d./-])${year}(?![\d]|[-/.]\d)`, 'g'),
]

/** Patterns from here on are tried only where no earlier one fits. */
const fullest = 4

/** The date that an output gives as its answer: in what it says its answer is, else its last date; a year alone only where no fuller date is. */
export function findDate(output: string, order: DayOrder): FoundDate {
  const view = readable(output)
  const words = unmarked(view.text)
  const marks = answerMarks(view.text, words).filter(({ certainty }) => certainty !== 'hedged')
  const stated = marks.map(({ start, end }) => datesIn(words.slice(start, end), order, start)[0]).findLast(date => date !== undefined)
  const found = stated ?? datesIn(words, order, 0).at(-1)
  return found ? { ...found, start: view.origin(found.start), end: view.origin(found.end) } : { kind: 'none' }
}

/** Before a date that is not meant: "not 2024-05-01". */
const denied =
  /\b(?:not|rather than|instead of|unlike|before|after|cutoff is|as of)\s(?:on |the )?$|(?:\b(?:not|never)|n't)\b[^.!?\n;,]{0,30}\b(?:was|is|on|in|be)\s$/i

type Dated = Exclude<FoundDate, { kind: 'none' }>

function datesIn(text: string, order: DayOrder, offset: number): Dated[] {
  const found: Dated[] = []
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      if (denied.test(text.slice(Math.max(0, match.index - 50), match.index))) continue
      const [start, end] = [offset + match.index, offset + match.index + match[0].length]
      const date = dateOf(match.groups ?? {}, order)
      const isNew = found.every(other => end <= other.start || start >= other.end)
      if (date !== null && isNew)
        found.push(date === 'ambiguous' ? { kind: 'ambiguous', start, end } : { kind: 'found', iso: date, start, end })
    }
    // What is less of a date counts only where nothing fuller is.
    if (found.length > 0 && patterns.indexOf(pattern) >= fullest) break
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Year, month and day; `ambiguous` where two orders fit; null where none does. */
function dateOf(groups: Readonly<Record<string, string | undefined>>, order: DayOrder): string | null {
  const { short, name, month: number, day: dayText, a, b } = groups
  const written = groups['year'] ?? (short === undefined ? '' : `${Number(short) <= 50 ? '20' : '19'}${short}`)
  if (a !== undefined && b !== undefined) return digitsOnly(written, Number(a), Number(b), groups['mark'] === '.' ? 'day_first' : order)
  const monthNumber = name === undefined ? Number(number ?? 0) : (monthOf.get(name.toLowerCase()) ?? 0)
  if (name === undefined && number === undefined) return written
  return dayText === undefined ? iso(written, monthNumber, null) : iso(written, monthNumber, Number(dayText))
}

function digitsOnly(written: string, a: number, b: number, order: DayOrder): string | null {
  const readings = [
    ...(order === 'month_first' ? [] : [iso(written, b, a)]),
    ...(order === 'day_first' ? [] : [iso(written, a, b)]),
  ].filter(reading => reading !== null)
  const [reading = null] = readings
  return new Set(readings).size > 1 ? 'ambiguous' : reading
}

function iso(written: string, monthNumber: number, dayNumber: number | null): string | null {
  const date = new Date(Date.UTC(Number(written), monthNumber - 1, dayNumber ?? 1))
  if (monthNumber < 1 || monthNumber > 12 || (dayNumber !== null && date.getUTCDate() !== dayNumber)) return null
  const two = (value: number) => String(value).padStart(2, '0')
  return `${written}-${two(monthNumber)}${dayNumber === null ? '' : `-${two(dayNumber)}`}`
}
