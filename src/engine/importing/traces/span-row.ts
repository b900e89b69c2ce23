import { createHash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { MediaFile } from '../../../contract/media/media.schemas.ts'
import type { SpanKind, SpanStatus, TraceMessage, TraceSource } from '../../../contract/traces/traces.schemas.ts'
import { toSearchDocument } from '../../../lib/text-query.ts'
import { type Json, type MappedSpan, mappingVersion } from './mapped-span.ts'
import { mapSpan } from './provider-spans.ts'
import { isObject } from '../../../lib/json-value.ts'

/** A span ready to be written. */
export interface SpanRow {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly isRoot: boolean
  readonly name: string
  readonly kind: SpanKind
  readonly status: SpanStatus
  readonly startedAt: string
  readonly endedAt: string | null
  readonly durationMs: number | null
  readonly model: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly inputPreview: string | null
  readonly outputPreview: string | null
  /** `searchedTexts` in the form of a search document. */
  readonly searched: string
  readonly mappingVersion: number
  /** SHA-256 of the raw span with its keys in order: the same content has the same digest, however it was written. */
  readonly digest: Uint8Array
  /** The raw span as JSON, compressed. */
  readonly raw: Uint8Array
  /** Files that it shows, which are written already; absent where there are none. */
  readonly media?: readonly MediaFile[]
}

const longestId = 300
const longestName = 300
const previewLength = 200
/** Characters that are searched of what a span was given, and of what it answered: the last of them, since calls repeat what was said before. */
const searchedLength = 20_000

/** @throws UnusableSpanError where the record is not a span */
export function toSpanRow(source: TraceSource, raw: Json): SpanRow {
  const span = mapSpan(source, raw)
  const durationMs = span.endedAt === null ? null : Math.max(0, span.endedAt - span.startedAt)
  return {
    traceId: span.traceId.slice(0, longestId),
    spanId: span.spanId.slice(0, longestId),
    parentSpanId: span.parentSpanId?.slice(0, longestId) ?? null,
    isRoot: span.isRoot,
    name: cut(span.name, longestName),
    kind: span.kind,
    status: span.status,
    startedAt: new Date(span.startedAt).toISOString(),
    endedAt: span.endedAt === null ? null : new Date(span.endedAt).toISOString(),
    durationMs,
    model: span.model === null ? null : cut(span.model, 200),
    inputTokens: span.usage?.input_tokens ?? null,
    outputTokens: span.usage?.output_tokens ?? null,
    // What was said last is what the answer is to.
    inputPreview: preview(span.input.findLast(({ role }) => role !== 'system') ?? span.input[0]),
    outputPreview: preview(span.output.at(-1)),
    searched: toSearchDocument(searchedTexts(span)),
    mappingVersion,
    digest: createHash('sha256').update(canonicalJson(raw)).digest(),
    raw: zstdCompressSync(JSON.stringify(raw)),
  }
}

/** The JSON of a raw span. */
export function rawText(compressed: Uint8Array): Buffer {
  return zstdDecompressSync(compressed)
}

export function rawOf(compressed: Uint8Array): Json {
  const value: unknown = JSON.parse(rawText(compressed).toString())
  return isObject(value) ? value : {}
}

function preview(message: TraceMessage | undefined): string | null {
  const files = message?.media?.map(({ type }) => `[${type}]`).join(' ')
  const text = message?.content.trim() || files || (message?.tool_calls?.map(call => `${call.name}(…)`).join(', ') ?? '')
  return text === '' ? null : cut(text.slice(0, previewLength * 4).replaceAll(/\s+/g, ' '), previewLength)
}

/** Name, messages and tool calls; the system prompt is the same in every trace. */
export function searchedTexts({ name, input, output }: MappedSpan): string[] {
  return [name, searchedText(input.filter(({ role }) => role !== 'system')), searchedText(output)]
}

function searchedText(messages: readonly TraceMessage[]): string {
  const texts = messages.flatMap(({ content, reasoning = '', tool_calls: calls = [] }) => [
    reasoning,
    content,
    ...calls.map(call => `${call.name} ${call.arguments}`),
  ])
  return texts.join('\n').slice(-searchedLength)
}

function cut(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most - 1).toWellFormed()}…`
}

/** JSON with the keys of every object in order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) =>
    isObject(held) ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1))) : held,
  )
}
