import { z } from 'zod'

/** Longest pause that a Node timer can wait, about 24 days; a longer one would end at once. */
const longestWaitMs = 2 ** 31 - 1

const msPerUnit: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  µs: 0.001,
  us: 0.001,
  ns: 0.000_001,
}

/** What a timer can wait. */
export function boundedWait(ms: number): number {
  return Math.min(Math.max(0, ms), longestWaitMs)
}

/**
 * Milliseconds until the time that a provider states: a number of seconds (`1.5`), a duration (`6m0s`, `PT30S`, `00:00:30`, `30 seconds`, or
 * the parts of a protobuf), an HTTP date, an ISO date with its zone, or a moment in seconds or milliseconds since 1970. Null for anything else. 0 for a moment gone by.
 * @param now milliseconds since 1970, by the clock of the provider where it tells
 */
export function waitTime(value: unknown, now: number): number | null {
  if (typeof value === 'object') {
    const protobuf = Duration.safeParse(value)
    return protobuf.success ? boundedWait(protobuf.data.seconds * 1000 + protobuf.data.nanos / 1e6) : null
  }
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  if (text === '') return null
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return boundedWait(waitOfNumber(Number(text), now))
  const duration = parseDuration(text) ?? parseIsoDuration(text) ?? parseClock(text) ?? parseWords(text)
  if (duration !== null) return boundedWait(duration)
  const moment = parseHttpDate(text) ?? parseIsoDate(text)
  return moment === null ? null : boundedWait(moment - now)
}

/** No wait is 30 years long, so such numbers are moments. */
function waitOfNumber(number: number, now: number): number {
  if (number >= 1e12) return number - now
  return number >= 1e9 && number < 1e10 ? number * 1000 - now : Math.ceil(number * 1000)
}

/** Milliseconds of a duration as Go writes it, e.g. `12ms`, `1.5s`, `6m0s`, with days as well; null for anything else. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:d|h|ms|m|s|µs|us|ns)){1,6}$/.test(text)) return null
  let total = 0
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(d|h|ms|m|s|µs|us|ns)/g)) total += Number(amount) * (msPerUnit[unit] ?? 0)
  return total
}

const Duration = z.object({ seconds: z.coerce.number().min(0), nanos: z.number().min(0).default(0) })

/** Of ISO 8601, e.g. `PT1M30S`. */
function parseIsoDuration(text: string): number | null {
  const [, hours = 0, minutes = 0, seconds] = /^PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?$/.exec(text) ?? []
  const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000
  return total > 0 || seconds !== undefined ? total : null
}

/** Hours, minutes and seconds. */
function parseClock(text: string): number | null {
  const [, hours, minutes, seconds] = /^(\d\d):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(text) ?? []
  return hours === undefined ? null : (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
}

const wordOfUnit = String.raw`(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)`
/** Words for one are apart from the unit: `and` is not a day. */
const amount = String.raw`(\d{1,9}(?:\.\d{1,9})? ?|(?:an?|one) )`
/** A duration as people write it: `18s`, `2 minutes and 3 seconds`, `a minute`. */
export const durationWords = String.raw`(?:${amount}${wordOfUnit}(?![a-z]) ?(?:and )?){1,3}`
const wholeWords = new RegExp(`^${durationWords}$`, 'i')
const amounts = new RegExp(String.raw`${amount}${wordOfUnit}(?![a-z])`, 'gi')

function parseWords(text: string): number | null {
  return wholeWords.test(text) ? msOfWords(text) : null
}

/** Of words in the form of `durationWords`. */
export function msOfWords(words: string): number {
  let total = 0
  for (const [, count = '', unit = ''] of words.matchAll(amounts))
    total += (/^\d/.test(count) ? Number(count) : 1) * unitOf(unit.toLowerCase())
  return total
}

function unitOf(unit: string): number {
  return msPerUnit[unit.startsWith('mil') || unit === 'ms' ? 'ms' : unit.charAt(0)] ?? 0
}

/** The IMF-fixdate form alone, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`: `Date.parse` by itself makes a date of almost anything. */
export function parseHttpDate(value: unknown): number | null {
  if (typeof value !== 'string' || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value.trim())) return null
  return dateOrNull(value)
}

/** With a time and a zone: a date without them is a moment only by guess. */
function parseIsoDate(text: string): number | null {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? dateOrNull(text) : null
}

function dateOrNull(text: string): number | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}
