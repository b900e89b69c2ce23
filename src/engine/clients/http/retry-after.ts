import type { IncomingHttpHeaders } from 'node:http'

/** Longest pause that a Node timer can wait, about 24 days; a longer one would end at once. */
const longestPauseMs = 2 ** 31 - 1

/**
 * Pause that a reply asks for, in milliseconds, from `retry-after-ms` (OpenAI, Anthropic) or `Retry-After` (RFC 9110, section 10.2.3: seconds
 * or an HTTP date). Null where there is none or it makes no sense.
 *
 * A date is measured from the reply's own `Date`, so that a wrong local clock does no harm; `now` (milliseconds since 1970) is the fallback.
 */
export function parseRetryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const exact = decimal(headers['retry-after-ms'])
  if (exact !== null) return Math.min(exact, longestPauseMs)
  const seconds = decimal(headers['retry-after'])
  if (seconds !== null) return Math.min(Math.ceil(seconds * 1000), longestPauseMs)
  const until = parseHttpDate(headers['retry-after'])
  if (until === null) return null
  return Math.min(Math.max(0, until - (parseHttpDate(headers.date) ?? now)), longestPauseMs)
}

function decimal(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,15}(?:\.\d{1,9})?$/.test(value.trim()) ? Number(value) : null
}

/** The IMF-fixdate form alone, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`: `Date.parse` by itself makes a date of almost anything. */
export function parseHttpDate(value: unknown): number | null {
  if (typeof value !== 'string' || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value.trim())) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}
