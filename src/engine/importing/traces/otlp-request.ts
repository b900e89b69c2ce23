import { type Json } from './mapped-span.ts'
import { isObject } from '../../../lib/json-value.ts'

/** What one request may hold. Refusals of a whole request are errors; refusals of a span are counted. */
export const otlpLimits = {
  spans: 10_000,
  /** Of attribute values in the whole request, so that a small body cannot become a large heap. */
  values: 500_000,
  /** Of lists and maps within a value. */
  depth: 32,
  /** Maximum characters of one text; longer texts are cut and marked. */
  valueLength: 1024 * 1024,
} as const

/** A span as it is kept: OTLP's JSON names, with attributes as plain objects, and the resource and scope that it came under. */
export type OtlpSpan = Json

/** The body is not an ExportTraceServiceRequest, or too much of one. */
export class OtlpRequestError extends Error {}

/** This span alone is refused. */
export class OtlpSpanError extends Error {}

export interface OtlpRequest {
  readonly spans: readonly OtlpSpan[]
  readonly rejected: number
  /** Why, for the first few reasons. */
  readonly reasons: readonly string[]
}

/** Collects the spans of a request and counts those that are refused. */
export interface OtlpIntake {
  /** @param read the span's parts; throwing OtlpSpanError refuses it */
  take(read: () => OtlpSpan): void
  refuse(reason: string): void
  /** Whether more spans are read; beyond the limit they are only counted. */
  readonly isFull: () => boolean
  finish(): OtlpRequest
}

export function createOtlpIntake(): OtlpIntake {
  const spans: OtlpSpan[] = []
  const reasons = new Set<string>()
  let rejected = 0
  const refuse = (reason: string) => {
    rejected += 1
    if (reasons.size < 5) reasons.add(reason)
  }
  return {
    refuse,
    isFull: () => spans.length >= otlpLimits.spans,
    take: read => {
      try {
        spans.push(read())
      } catch (error) {
        if (!(error instanceof OtlpSpanError)) throw error
        refuse(error.message)
      }
    },
    finish: () => ({ spans, rejected, reasons: [...reasons] }),
  }
}

/** Counts values over a whole request, and bounds their texts. */
export interface ValueBudget {
  /** @throws OtlpRequestError beyond the limit */
  (): void
  readonly text: (given: string) => string
}

/** @param keep takes files out of a text before it is cut */
export function createValueBudget(keep: (text: string) => string = text => text): ValueBudget {
  let left: number = otlpLimits.values
  const count = (): void => {
    left -= 1
    if (left < 0)
      throw new OtlpRequestError(`The request holds more than ${otlpLimits.values} attribute values. Send fewer spans at a time.`)
  }
  return Object.assign(count, { text: (given: string) => cutText(keep(given)) })
}

/** Before an image or a file within JSON or a data URL: a run of base64 that no prompt has. */
const beforeBase64 = /["',](?=[\w+/-]{2048})/g
const afterBase64 = /[^\w+/=-]/g

/** A pattern of a whole run would backtrack through megabytes, which the stack of regular expressions does not hold. */
function withoutBase64(text: string): string {
  let kept = ''
  let from = 0
  for (const { index } of text.matchAll(beforeBase64)) {
    const start = index + 1
    afterBase64.lastIndex = start
    const end = afterBase64.exec(text)?.index ?? text.length
    kept += `${text.slice(from, start)}[${end - start} characters of base64 left out]`
    from = end
  }
  return kept + text.slice(from)
}

/** Cuts a text that is too long and marks the cut. Images and files go first, so that messages in JSON stay readable. */
export function cutText(given: string): string {
  if (given.length <= otlpLimits.valueLength) return given
  const text = withoutBase64(given)
  if (text.length <= otlpLimits.valueLength) return text
  return `${text.slice(0, otlpLimits.valueLength).toWellFormed()}… [cut by Assay: ${text.length} characters]`
}

export interface OtlpSpanParts {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  /** Nanoseconds since 1970, in decimal. */
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Json
  readonly events: readonly Json[]
  readonly links: readonly Json[]
  readonly status: Json
  readonly resource: Json
  readonly scope: Json
}

const hex32 = /^(?!0{32})[0-9a-f]{32}$/
const hex16 = /^(?!0{16})[0-9a-f]{16}$/

/** Puts a span together; parts that are empty are left out, so that both encodings give the same content. */
export function assembleSpan(parts: OtlpSpanParts): OtlpSpan {
  if (!hex32.test(parts.traceId)) throw new OtlpSpanError('A span has no valid trace id.')
  if (!hex16.test(parts.spanId)) throw new OtlpSpanError('A span has no valid span id.')
  if (parts.startTimeUnixNano === '0') throw new OtlpSpanError('A span has no start time.')
  checkIndexes(parts.attributes)
  const filled = Object.entries(parts).filter(([, value]) => {
    if (Array.isArray(value)) return value.length > 0
    return isObject(value) ? Object.keys(value).length > 0 : value !== '' && value !== '0' && value !== 0
  })
  return Object.fromEntries(filled)
}

/** Largest index of a flattened list, such as `llm.input_messages.7.message.role`. */
const mostIndex = 10_000

function checkIndexes(attributes: Json): void {
  for (const key of Object.keys(attributes)) {
    if (key.length > 1000) throw new OtlpSpanError('An attribute name is longer than 1,000 characters.')
    for (const [, index] of key.matchAll(/\.(\d+)(?=\.|$)/g))
      if (Number(index) > mostIndex) throw new OtlpSpanError(`An index in an attribute name is above ${mostIndex}: ${key.slice(0, 80)}`)
  }
}
