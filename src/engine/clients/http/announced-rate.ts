import type { IncomingHttpHeaders } from 'node:http'
import type { AnnouncedRate, RateWindow } from '../model-client.ts'
import { serverTime } from './retry-after.ts'
import { boundedWait, waitTime } from './wait-time.ts'

/**
 * What a reply says is left of its provider's limits; null where it says nothing. Read are the forms of OpenAI and the many that
 * copy it (`x-ratelimit-remaining-requests: 59`, `x-ratelimit-reset-requests: 6m0s`, with Azure and Cerebras in seconds), of Anthropic
 * (`anthropic-ratelimit-requests-remaining: 59`, `…-reset: 2026-11-20T09:30:00Z`), and of the IETF draft ratelimit-headers
 * (`ratelimit: "default";r=50;t=30`, before it `ratelimit-remaining` and `ratelimit-reset` in seconds). What makes no sense is ignored.
 * @param now milliseconds since 1970; used when the reply has no `Date`
 */
export function parseAnnouncedRate(headers: IncomingHttpHeaders, now: number): AnnouncedRate | null {
  if (!Object.keys(headers).some(name => name.includes('ratelimit'))) return null
  const time = serverTime(headers, now)
  const windowOf = (kind: Kind) => openAiWindow(headers, kind, time) ?? anthropicWindow(headers, kind, time)
  const requests = windowOf('requests') ?? draftWindow(headers, time)
  const tokens = windowOf('tokens')
  return requests || tokens ? { requests, tokens } : null
}

type Kind = 'requests' | 'tokens'

/** Cerebras counts by the minute and by the day: `x-ratelimit-remaining-tokens-minute`. */
function openAiWindow(headers: IncomingHttpHeaders, kind: Kind, time: number): RateWindow | null {
  const named = (part: string) => headers[`x-ratelimit-${part}-${kind}`] ?? headers[`x-ratelimit-${part}-${kind}-minute`]
  const remaining = count(named('remaining'))
  const resetMs = waitTime(named('reset'), time)
  return remaining === null || resetMs === null ? null : { limit: count(named('limit')), remaining, resetMs, refill: 'steady' }
}

function anthropicWindow(headers: IncomingHttpHeaders, kind: Kind, time: number): RateWindow | null {
  const remaining = count(headers[`anthropic-ratelimit-${kind}-remaining`])
  const resetMs = waitTime(headers[`anthropic-ratelimit-${kind}-reset`], time)
  if (remaining === null || resetMs === null) return null
  return { limit: count(headers[`anthropic-ratelimit-${kind}-limit`]), remaining, resetMs, refill: 'steady' }
}

/** Of several policies the one with the least left. OpenRouter and others: the older form behind `x-`, the reset as a moment. */
function draftWindow(headers: IncomingHttpHeaders, time: number): RateWindow | null {
  const field = headers['ratelimit']
  const items = typeof field === 'string' ? field.split(',') : []
  const windows = items.flatMap(item => draftItem(parameter(item, 'r'), parameter(item, 't')))
  const older = draftItem(text(headers['ratelimit-remaining']), text(headers['ratelimit-reset']))
  const remaining = count(headers['x-ratelimit-remaining'])
  const resetMs = waitTime(headers['x-ratelimit-reset'], time)
  const whole: RateWindow[] = remaining === null || resetMs === null ? [] : [{ limit: null, remaining, resetMs, refill: 'at_once' }]
  return [...windows, ...older, ...whole].sort((a, b) => a.remaining - b.remaining)[0] ?? null
}

function draftItem(remaining: string | undefined, seconds: string | undefined): RateWindow[] {
  const left = count(remaining)
  const wait = count(seconds)
  return left === null || wait === null ? [] : [{ limit: null, remaining: left, resetMs: boundedWait(wait * 1000), refill: 'at_once' }]
}

function parameter(item: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}=(\\d+)`).exec(item)?.[1]
}

function text(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function count(value: string | string[] | undefined): number | null {
  return typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : null
}
