import type { IncomingHttpHeaders } from 'node:http'
import type { AnnouncedRate, RateWindow } from '../model-client.ts'
import { parseHttpDate } from './retry-after.ts'

/**
 * What a reply says is left of its provider's limits; null where it says nothing. Read are the forms of OpenAI and the many that
 * copy it (`x-ratelimit-remaining-requests: 59`, `x-ratelimit-reset-requests: 6m0s`), of Anthropic
 * (`anthropic-ratelimit-requests-remaining: 59`, `…-reset: 2026-11-20T09:30:00Z`), and of the IETF draft ratelimit-headers
 * (`ratelimit: "default";r=50;t=30`, before it `ratelimit-remaining` and `ratelimit-reset` in seconds). What makes no sense is ignored.
 * @param now milliseconds since 1970; used when the reply has no `Date`
 */
export function parseAnnouncedRate(headers: IncomingHttpHeaders, now: number): AnnouncedRate | null {
  const requests = openAiWindow(headers, 'requests') ?? anthropicWindow(headers, 'requests', now) ?? draftWindow(headers)
  const tokens = openAiWindow(headers, 'tokens') ?? anthropicWindow(headers, 'tokens', now)
  return requests || tokens ? { requests, tokens } : null
}

type Kind = 'requests' | 'tokens'

/** What a timer can wait. */
function bounded(ms: number): number {
  return Math.min(Math.max(0, ms), 2 ** 31 - 1)
}

function openAiWindow(headers: IncomingHttpHeaders, kind: Kind): RateWindow | null {
  const remaining = count(headers[`x-ratelimit-remaining-${kind}`])
  const resetMs = goDuration(headers[`x-ratelimit-reset-${kind}`])
  return remaining === null || resetMs === null
    ? null
    : { limit: count(headers[`x-ratelimit-limit-${kind}`]), remaining, resetMs: bounded(resetMs), refill: 'steady' }
}

function anthropicWindow(headers: IncomingHttpHeaders, kind: Kind, now: number): RateWindow | null {
  const remaining = count(headers[`anthropic-ratelimit-${kind}-remaining`])
  const reset = headers[`anthropic-ratelimit-${kind}-reset`]
  const at = typeof reset === 'string' && /^\d{4}-\d\d-\d\dT/.test(reset) ? Date.parse(reset) : Number.NaN
  if (remaining === null || Number.isNaN(at)) return null
  return {
    limit: count(headers[`anthropic-ratelimit-${kind}-limit`]),
    remaining,
    resetMs: bounded(at - (parseHttpDate(headers.date) ?? now)),
    refill: 'steady',
  }
}

/** Of several policies the one with the least left. */
function draftWindow(headers: IncomingHttpHeaders): RateWindow | null {
  const field = headers['ratelimit']
  const items = typeof field === 'string' ? field.split(',') : []
  const windows = items.flatMap(item => draftItem(parameter(item, 'r'), parameter(item, 't')))
  const older = draftItem(text(headers['ratelimit-remaining']), text(headers['ratelimit-reset']))
  return [...windows, ...older].sort((a, b) => a.remaining - b.remaining)[0] ?? null
}

function draftItem(remaining: string | undefined, seconds: string | undefined): RateWindow[] {
  const left = count(remaining)
  const wait = count(seconds)
  return left === null || wait === null ? [] : [{ limit: null, remaining: left, resetMs: bounded(wait * 1000), refill: 'at_once' }]
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

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, µs: 0.001, us: 0.001, ns: 0.000_001 }

/** Milliseconds of a duration as Go writes it, e.g. `12ms`, `1.5s`, `6m0s`; null for anything else. */
function goDuration(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|m|s|µs|us|ns)){1,6}$/.test(value.trim())) return null
  let total = 0
  for (const [, amount, unit = ''] of value.matchAll(/([\d.]+)(h|ms|m|s|µs|us|ns)/g)) total += Number(amount) * (units[unit] ?? 0)
  return total
}
