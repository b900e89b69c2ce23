import { createHash } from 'node:crypto'
import { adapterOf } from '../engine/clients/tracing/adapters.ts'
import { badReply, ProviderFault } from '../engine/clients/tracing/provider-fault.ts'
import { exampleFields } from '../engine/importing/traces/example-fields.ts'
import { isObject, type Json, type ProviderAnnotation, timeOf } from '../engine/importing/traces/mapped-span.ts'
import { readOtlpJson } from '../engine/importing/traces/otlp-json.ts'
import { readOtlpProtobuf } from '../engine/importing/traces/otlp-protobuf.ts'
import { OtlpRequestError } from '../engine/importing/traces/otlp-request.ts'
import { UnusableSpanError } from '../engine/importing/traces/provider-spans.ts'
import { canonicalJson, type SpanRow, toSpanRow } from '../engine/importing/traces/span-row.ts'
import type { TraceSource } from '../contract/traces/traces.schemas.ts'
import { createTraceReads } from '../storage/reads/traces.ts'
import { openReader } from './database-path.ts'
import { describeTrace, traceExample } from './describe-trace.ts'
import type {
  ReadItems,
  ReadItemsTask,
  ReadOtlp,
  ReadOtlpTask,
  ReadPage,
  ReadPageTask,
  TraceAnswer,
  TraceAnswers,
  TraceExample,
  TraceExamplesTask,
  TraceTask,
} from './trace-tasks.ts'

/** Everything about traces that takes longer than a request may hold the service up. */
export default function workOnTraces(task: TraceTask): TraceAnswer<TraceTask['kind']> {
  try {
    return { ok: true, value: execute(task) }
  } catch (error) {
    if (error instanceof ProviderFault) return { ok: false, fault: error.code, message: error.message }
    if (error instanceof OtlpRequestError) return { ok: false, fault: 'otlp', message: error.message }
    throw error
  }
}

function execute(task: TraceTask): TraceAnswers[TraceTask['kind']] {
  switch (task.kind) {
    case 'page':
      return readPage(task)
    case 'otlp':
      return readOtlp(task)
    case 'items':
      return readItems(task)
    case 'describe':
      return reading(reads => describeTrace(reads, task.workspaceId, task.traceId, task.spanId))
    case 'examples':
      return reading(reads => traceExamples(reads, task))
  }
}

function readPage({ provider, body, place, window }: ReadPageTask): ReadPage {
  const reply = parse(body)
  const page = adapterOf(provider).readBackfill(reply, place, window)
  const rows = toRows(provider, page.spans)
  return {
    rows,
    annotations: page.annotations.map(toAnnotation),
    received: page.received,
    next: page.next,
    deprecation: deprecationIn(reply),
  }
}

/** A record that is not a span is left out: one of them must not keep the others away. */
function toRows(source: TraceSource, spans: readonly Json[]): SpanRow[] {
  return spans.flatMap(span => {
    try {
      return [toSpanRow(source, span)]
    } catch (error) {
      if (error instanceof UnusableSpanError) return []
      throw error
    }
  })
}

/** Adapters give annotations as plain records with these names. */
function toAnnotation(record: Json): ProviderAnnotation {
  const { id, traceId, spanId, name, value, comment, createdAt } = record
  return {
    id: String(id).slice(0, 300),
    traceId: String(traceId),
    spanId: typeof spanId === 'string' ? spanId : null,
    name: String(name).slice(0, 200),
    value: typeof value === 'number' || typeof value === 'boolean' ? value : typeof value === 'string' ? value.slice(0, 10_000) : null,
    comment: typeof comment === 'string' ? comment.slice(0, 10_000) : null,
    createdAt: timeOf(createdAt),
  }
}

/** Langfuse says in the body that an endpoint will go. */
function deprecationIn(reply: unknown): string | null {
  const notice = isObject(reply) ? reply['_deprecation'] : undefined
  return isObject(notice) && typeof notice['message'] === 'string' ? notice['message'].slice(0, 500) : null
}

function readOtlp({ mediaType, bytes }: ReadOtlpTask): ReadOtlp {
  const request = mediaType === 'application/json' ? readOtlpJson(Buffer.from(bytes).toString()) : readOtlpProtobuf(bytes)
  return { rows: request.spans.map(span => toSpanRow('otlp', span)), rejected: request.rejected, reasons: request.reasons }
}

function readItems({ provider, body, query, dialect, paths }: ReadItemsTask): ReadItems {
  const { items, nextCursor } = adapterOf(provider).readItems(parse(body), query, dialect)
  return {
    items: items.map(item => ({
      id: item.id.slice(0, 300),
      fields: exampleFields(item.raw, paths, item),
      metadata: item.metadata,
      skip: item.skip,
      digest: createHash('sha256').update(canonicalJson(item.raw)).digest('hex'),
    })),
    nextCursor,
  }
}

function traceExamples(reads: ReturnType<typeof createTraceReads>, { workspaceId, traceIds, paths }: TraceExamplesTask): TraceExample[] {
  return traceIds.flatMap(traceId => {
    const found = traceExample(reads, workspaceId, traceId, paths)
    return found ? [{ traceId, ...found }] : []
  })
}

function reading<T>(work: (reads: ReturnType<typeof createTraceReads>) => T): T {
  const db = openReader()
  try {
    return work(createTraceReads(db))
  } finally {
    db.close()
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    throw badReply('is not valid JSON')
  }
}
