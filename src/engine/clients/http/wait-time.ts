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
 * Milliseconds until the time that a provider states: a number of seconds (`1.5`), a duration as Go writes it (`12ms`, `6m0s`), an HTTP date,
 * an ISO date with its zone, or a moment in seconds or milliseconds since 1970. Null for anything else. 0 for a moment gone by.
 * @param now milliseconds since 1970, by the clock of the provider where it tells
 */
export function waitTime(value: unknown, now: number): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return boundedWait(waitOfNumber(Number(text), now))
  const duration = parseDuration(text)
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
