import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import type { MediaFile } from '../contract/media/media.schemas.ts'
import { adapterOf } from '../engine/clients/tracing/adapters.ts'
import { badReply, ProviderFault } from '../engine/clients/tracing/provider-fault.ts'
import { exampleFields } from '../engine/importing/traces/example-fields.ts'
import { InlineMedia } from '../engine/importing/traces/inline-media.ts'
import { type Json, type ProviderAnnotation, timeOf } from '../engine/importing/traces/mapped-span.ts'
import { readOtlpJson } from '../engine/importing/traces/otlp-json.ts'
import { readOtlpProtobuf } from '../engine/importing/traces/otlp-protobuf.ts'
import { OtlpRequestError } from '../engine/importing/traces/otlp-request.ts'
import { UnusableSpanError } from '../engine/importing/traces/provider-spans.ts'
import { canonicalJson, type SpanRow, toSpanRow } from '../engine/importing/traces/span-row.ts'
import type { TraceSource } from '../contract/traces/traces.schemas.ts'
import type { Database } from '../storage/database.ts'
import { createTraceReads } from '../storage/reads/traces.ts'
import { createMediaFiles } from '../storage/media-files.ts'
import { databasePath, openReader } from './database-path.ts'
import { describeTrace, traceExample } from './describe-trace.ts'
import { findTraces } from './find-traces.ts'
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
import { isObject } from '../lib/json-value.ts'

/** Everything about traces that takes longer than a request may hold the service up. */
export default async function workOnTraces(task: TraceTask): Promise<TraceAnswer<TraceTask['kind']>> {
  try {
    return { ok: true, value: await execute(task) }
  } catch (error) {
    if (error instanceof ProviderFault) return { ok: false, fault: error.code, message: error.message }
    if (error instanceof OtlpRequestError) return { ok: false, fault: 'otlp', message: error.message }
    throw error
  }
}

async function execute(task: TraceTask): Promise<TraceAnswers[TraceTask['kind']]> {
  switch (task.kind) {
    case 'page':
      return readPage(task)
    case 'otlp':
      return readOtlp(task)
    case 'items':
      return readItems(task)
    case 'describe':
      return reading(reads => describeTrace(reads, task.workspaceId, task.traceId, task.spanId))
    case 'find':
      return reading((_, db) => findTraces(db, task))
    case 'examples':
      return reading(reads => traceExamples(reads, task))
  }
}

async function readPage({ provider, body, place, window }: ReadPageTask): Promise<ReadPage> {
  const reply = parse(body)
  const page = adapterOf(provider).readBackfill(reply, place, window)
  const inline = new InlineMedia()
  const rows = toRows(provider, page.spans, inline)
  await writeFiles(inline)
  return {
    rows,
    annotations: page.annotations.map(toAnnotation),
    received: page.received,
    next: page.next,
    deprecation: deprecationIn(reply),
  }
}

/** A record that is not a span is left out: one of them must not keep the others away. */
function toRows(source: TraceSource, spans: readonly Json[], inline: InlineMedia): SpanRow[] {
  return spans.flatMap(span => {
    try {
      const kept = inline.keepIn(span)
      return [withFiles(toSpanRow(source, kept), inline.of(kept))]
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

async function readOtlp({ mediaType, bytes }: ReadOtlpTask): Promise<ReadOtlp> {
  const inline = new InlineMedia()
  const { spans, rejected, reasons } =
    mediaType === 'application/json' ? readOtlpJson(Buffer.from(bytes).toString(), inline.keep) : readOtlpProtobuf(bytes, inline.keep)
  await writeFiles(inline)
  return { rows: spans.map(span => withFiles(toSpanRow('otlp', span), inline.of(span))), rejected, reasons }
}

function withFiles(row: SpanRow, media: readonly MediaFile[]): SpanRow {
  return media.length === 0 ? row : { ...row, media }
}

/** Stores the files that spans or items show, before any row refers to them. @param named absent: all */
async function writeFiles({ files }: InlineMedia, named?: ReadonlySet<string>): Promise<void> {
  const wanted = named ? files.filter(({ file }) => named.has(file.digest)) : files
  if (wanted.length === 0) return
  await createMediaFiles(dirname(databasePath())).write(
    wanted.map(({ file, bytes }) => ({ digest: file.digest.slice('sha256:'.length), bytes })),
  )
}

async function readItems({ provider, body, query, dialect, paths }: ReadItemsTask): Promise<ReadItems> {
  const { items, nextCursor } = adapterOf(provider).readItems(parse(body), query, dialect)
  const inline = new InlineMedia()
  const read = items.map(({ id, skip, raw, metadata, input, output, expected }) => {
    const usual = inline.keepIn({ input, output, expected, metadata })
    // The item as a whole is read only for paths into it.
    const source = Object.keys(paths).length === 0 ? raw : inline.keepIn(raw)
    const fields = exampleFields(source, paths, { input: usual['input'], output: usual['output'], expected: usual['expected'] })
    const kept = isObject(usual['metadata']) ? usual['metadata'] : metadata
    return {
      id: id.slice(0, 300),
      fields,
      metadata: kept,
      skip,
      digest: createHash('sha256').update(canonicalJson(raw)).digest('hex'),
      media: inline.of({ ...fields, metadata: kept }),
    }
  })
  const used = read.filter(({ skip, fields }) => skip === null && fields.input !== null)
  await writeFiles(inline, new Set(used.flatMap(({ media }) => media.map(({ digest }) => digest))))
  return { items: read, nextCursor }
}

function traceExamples(reads: ReturnType<typeof createTraceReads>, { workspaceId, traceIds, paths }: TraceExamplesTask): TraceExample[] {
  return traceIds.flatMap(traceId => {
    const found = traceExample(reads, workspaceId, traceId, paths)
    return found ? [{ traceId, ...found }] : []
  })
}

function reading<T>(work: (reads: ReturnType<typeof createTraceReads>, db: Database) => T): T {
  const db = openReader()
  try {
    return work(createTraceReads(db), db)
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
