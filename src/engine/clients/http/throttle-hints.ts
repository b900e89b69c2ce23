import type { IncomingHttpHeaders } from 'node:http'
import { parseRetryAfter, serverTime } from './retry-after.ts'
import { boundedWait, durationWords, waitTime } from './wait-time.ts'

/** Characters of an error that are searched for words. */
const mostRead = 8_000
/** Members of an error that are looked at. */
const mostMembers = 500

/**
 * Pause that a refused call's reply asks for, in milliseconds, wherever it says so; null where it does not. In this order: `Retry-After`,
 * members of the body (`retryDelay` of Google, `retry_after_seconds` of OpenRouter), headers of limits that are used up, words.
 * @param body as JSON, or its text
 * @param now milliseconds since 1970
 */
export function waitHint(headers: IncomingHttpHeaders, body: unknown, now: number): number | null {
  const time = serverTime(headers, now)
  return parseRetryAfter(headers, now) ?? waitInMembers(body, time) ?? waitOfUsedUp(headers, time) ?? waitInWords(body, time)
}

/** Names of members that state a pause, without case and separators, with the milliseconds of a bare number. */
const waitMembers: Readonly<Record<string, number>> = {
  retrydelay: 1000,
  retryafter: 1000,
  retryafterseconds: 1000,
  retryafterms: 1,
  retryafterm: 60_000,
  retryin: 1000,
  waitseconds: 1000,
  // Hugging Face, of a model that is being loaded.
  estimatedtime: 1000,
  backoff: 1000,
  xratelimitreset: 1000,
}

/** OpenRouter repeats its upstream's headers in the body. */
function waitInMembers(body: unknown, time: number): number | null {
  let found: number | null = null
  visit(body, (name, value) => {
    const unit = waitMembers[name.toLowerCase().replaceAll(/[_-]/g, '')]
    if (unit === undefined) return
    const wait = unit === 1000 || Number.isNaN(Number(value)) ? waitTime(value, time) : boundedWait(Number(value) * unit)
    if (wait !== null) found = Math.max(found ?? 0, wait)
  })
  return found
}

const bareResets = ['x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset', 'x-ratelimit-reset-after']

/** `x-ratelimit-remaining-requests: 0` with `x-ratelimit-reset-requests: 6m0s`, `anthropic-ratelimit-tokens-remaining`, a bare `x-ratelimit-reset`. */
function waitOfUsedUp(headers: IncomingHttpHeaders, time: number): number | null {
  let longest: number | null = null
  const take = (reset: unknown) => {
    const wait = waitTime(reset, time)
    if (wait !== null && wait > 0) longest = Math.max(longest ?? 0, wait)
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^(?:x-|anthropic-)?rate-?limit-/.test(name) || !name.includes('remaining') || Number(value) > 0) continue
    take(headers[name.replace('remaining', 'reset')])
  }
  // Both drafts of the IETF: `limit=100, remaining=0, reset=12` and `"default";r=0;t=12`.
  for (const [, rest = ''] of String(headers['ratelimit'] ?? '').matchAll(/\b(?:remaining|r)=0\b([^"]*)/g))
    take(/\b(?:reset|t)=(\d+)/.exec(rest)?.[1])
  if (longest === null) for (const name of bareResets) take(headers[name])
  return longest
}

/** `try again in 18s`, `Please retry after 7m12s`, `retry your request after 10 sec`, `available in a minute`, `Retry-After: 7`. */
const waitWords = new RegExp(
  String.raw`\b(?:again|retry|retrying|wait|available|resets?|reset) ?(?:your request |this request |it |the request )?(?:in|after|for)? ?(?:about |another )?(${durationWords}|\d\d:\d\d:\d\d\b)`,
  'i',
)
const namedWait = /\bretry-after['"]?[:=] ?['"]?(\d{1,9}(?:\.\d{1,9})?)\b/i
const momentWords = /\b(?:resets?|again|available|until) ?(?:at|on|after)? ?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z|[+-]\d\d:?\d\d)?)/i

function waitInWords(body: unknown, time: number): number | null {
  const text = textOf(body)
  const words = waitWords.exec(text)?.[1] ?? namedWait.exec(text)?.[1]
  if (words !== undefined) return waitTime(words.trim().replace(/ and$/i, ''), time)
  const moment = momentWords.exec(text)?.[1]
  // Without a zone it is the provider's, which is unknown: half a day does not matter where a limit of days is used up.
  return moment === undefined ? null : waitTime(/Z|[+-]\d\d:?\d\d$/.test(moment) ? moment : `${moment}Z`, time)
}

/** The texts of an error, one behind the other. */
export function textOf(body: unknown): string {
  if (typeof body === 'string') return body.slice(0, mostRead)
  let text = ''
  visit(body, (_, value) => {
    if (typeof value === 'string' && text.length < mostRead) text += `${value.slice(0, mostRead)}\n`
  })
  return text.slice(0, mostRead)
}

/** Each member of a body, breadth first. */
function visit(body: unknown, see: (name: string, value: unknown) => void): void {
  const queue: unknown[] = [body]
  let left = mostMembers
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (left-- <= 0) return
      see(name, member)
      queue.push(member)
    }
  }
}
