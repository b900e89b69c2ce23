import { z } from 'zod'
import { SpanKind, SpanStatus, TraceSource } from '../../contract/traces/traces.schemas.ts'
import type { Database } from '../database.ts'

const bytes = z.custom<Uint8Array>(value => value instanceof Uint8Array)

export const TraceRow = z.object({
  no: z.int(),
  id: z.string(),
  source: TraceSource,
  integration_id: z.string().nullable(),
  provider_trace_id: z.string(),
  name: z.string(),
  model: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  span_count: z.int(),
  error_count: z.int(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  input_preview: z.string().nullable(),
  output_preview: z.string().nullable(),
  lead_span_id: z.string(),
})
export type TraceRow = z.infer<typeof TraceRow>

const StoredSpan = z.object({
  span_id: z.string(),
  revision: z.int(),
  parent_span_id: z.string().nullable(),
  name: z.string(),
  kind: SpanKind,
  status: SpanStatus,
  started_at: z.string(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  model: z.string().nullable(),
  raw: bytes,
})
export type StoredSpan = z.infer<typeof StoredSpan>

const StoredAnnotation = z.object({
  span_id: z.string().nullable(),
  name: z.string(),
  value: z.string(),
  comment: z.string().nullable(),
  created_at: z.string().nullable(),
})
export type StoredAnnotation = z.infer<typeof StoredAnnotation>

const ListedTexts = z.object({
  source: TraceSource,
  texts: z.string(),
})
const RawSpan = z.object({ raw: bytes })

const SpanNumbers = z.array(z.object({ no: z.int() }))
const StoredAnnotations = z.array(StoredAnnotation)

const columns = `no, id, source, integration_id, provider_trace_id, name, model, started_at, ended_at, span_count, error_count, input_tokens,
  output_tokens, input_preview, output_preview, lead_span_id`

/** Reads whole traces; runs in a worker, since a trace may be large. */
export function createTraceReads(db: Database) {
  return {
    trace: (workspaceId: string, id: string): TraceRow | null => {
      const row = db.prepare(`select ${columns} from traces where workspace_id = ? and id = ?`).get(workspaceId, id)
      return row === undefined ? null : TraceRow.parse(row)
    },
    /** By start; one after the other, because all at once might not fit. */
    *spans(traceNo: number, spanId: string | null): Generator<StoredSpan> {
      const order = db
        .prepare('select no from spans where trace_no = ? and (? is null or span_id = ?) order by started_at, no')
        .all(traceNo, spanId, spanId)
      const read = db.prepare(
        'select span_id, revision, parent_span_id, name, kind, status, started_at, ended_at, duration_ms, model, raw from spans where no = ?',
      )
      for (const { no } of SpanNumbers.parse(order)) yield StoredSpan.parse(read.get(no))
    },
    /** What the list shows of a trace, a line each, and its source; null where it is gone. */
    listed: (traceNo: number): z.infer<typeof ListedTexts> | null => {
      const row = db
        .prepare(
          `select source, concat_ws(char(10), name, provider_trace_id, input_preview, output_preview) as texts from traces where no = ?`,
        )
        .get(traceNo)
      return row === undefined ? null : ListedTexts.parse(row)
    },
    *rawSpans(traceNo: number): Generator<Uint8Array> {
      const rows = db.prepare('select raw from spans where trace_no = ?').iterate(traceNo)
      for (const row of rows) yield RawSpan.parse(row).raw
    },
    annotations: (traceNo: number): StoredAnnotation[] =>
      StoredAnnotations.parse(
        db
          .prepare(
            'select span_id, name, value, comment, created_at from trace_annotations where trace_no = ? order by name, provider_id limit 1000',
          )
          .all(traceNo),
      ),
  }
}
