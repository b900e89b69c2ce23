import type { SpanKind, SpanStatus, TokenUsage, TraceMessage } from '../../../contract/traces/traces.schemas.ts'

/** Stored beside what was mapped. A newer mapping can be applied to the raw spans, which are kept. */
export const mappingVersion = 1

/** A span of any source, read as far as its conventions are known. */
export interface MappedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly isRoot: boolean
  readonly name: string
  readonly kind: SpanKind
  /** Milliseconds since 1970, with fractions where the source has them. */
  readonly startedAt: number
  readonly endedAt: number | null
  readonly status: SpanStatus
  readonly statusMessage: string | null
  readonly model: string | null
  readonly usage: TokenUsage | null
  readonly input: readonly TraceMessage[]
  readonly output: readonly TraceMessage[]
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A provider's score of a trace or a span. */
export interface ProviderAnnotation {
  readonly id: string
  readonly traceId: string
  readonly spanId: string | null
  readonly name: string
  readonly value: number | string | boolean | null
  readonly comment: string | null
  readonly createdAt: number | null
}

export type Json = Readonly<Record<string, unknown>>

/** Whether a value of JSON has more levels than `JSON.stringify` and we may safely descend. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeeperThan(inner, levels - 1))
}

/** A text, or null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The first of the names that holds a text. */
export function firstText(from: Json, ...names: readonly string[]): string | null {
  for (const name of names) {
    const found = textOf(from[name])
    if (found !== null) return found
  }
  return null
}

/** Largest count that is believed: what a provider says is bounded before it is stored. */
const mostTokens = 1_000_000_000

/** A count of tokens, or null where it makes no sense. */
export function countOf(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 && count <= mostTokens ? Math.round(count) : null
}

/** Milliseconds since 1970, or null where it is not a time between 1970 and 9999. A time without a zone is UTC. */
export function timeOf(value: unknown): number | null {
  if (typeof value === 'string') {
    const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}Z`
    return boundedTime(Date.parse(zoned))
  }
  return null
}

/** Last millisecond that a timestamp of four year digits can say. */
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

export function boundedTime(ms: number): number | null {
  return Number.isFinite(ms) && ms >= 0 && ms <= lastTime ? ms : null
}

/** Null where nothing was counted. */
export function usageOf(counts: TokenUsage): TokenUsage | null {
  return Object.values(counts).every(count => count === null) ? null : counts
}
