import type { IncomingHttpHeaders } from 'node:http'
import { boundedWait, parseHttpDate, waitTime } from './wait-time.ts'

/**
 * Pause that a reply's headers ask for, in milliseconds, from `retry-after-ms` (OpenAI, Anthropic; Azure with a prefix) or `Retry-After` (RFC 9110, section 10.2.3:
 * seconds or an HTTP date; providers also write `2s` and ISO dates), under any prefix. Null where there is none or it makes no sense.
 *
 * A date is measured from the reply's own `Date`, so that a wrong local clock does no harm; `now` (milliseconds since 1970) is the fallback.
 */
export function parseRetryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const exact = headers['retry-after-ms'] ?? headers['x-ms-retry-after-ms']
  if (typeof exact === 'string' && /^\d{1,15}(?:\.\d{1,9})?$/.test(exact.trim())) return boundedWait(Number(exact))
  const other = headers['retry-after'] === undefined ? Object.keys(headers).find(name => name.endsWith('-retry-after')) : undefined
  return waitTime(headers[other ?? 'retry-after'], serverTime(headers, now))
}

/** Milliseconds since 1970 by the clock that a reply's times are of. */
export function serverTime(headers: IncomingHttpHeaders, now: number): number {
  return parseHttpDate(headers.date) ?? now
}
