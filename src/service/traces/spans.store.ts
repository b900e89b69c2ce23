import { z } from 'zod'
import type { TraceSource } from '../../contract/traces/traces.schemas.ts'
import type { ProviderAnnotation } from '../../engine/importing/traces/mapped-span.ts'
import type { SpanRow } from '../../engine/importing/traces/span-row.ts'
import type { Database } from '../../storage/database.ts'
import type { Media } from '../media/index.ts'

/** Where spans belong. */
export interface SpanScope {
  readonly workspaceId: string
  readonly source: TraceSource
  /** Provider's address and project; empty for OTLP. */
  readonly project: string
  readonly integrationId: string | null
  /** The backfill that reads them; null for OTLP. */
  readonly readBy: string | null
  /** How many more traces the backfill may begin. */
  readonly room: number
  /** Keeps files of spans for as long as their trace. */
  readonly keepFiles: Media['recordOfTrace']
}

export interface StoredCounts {
  traces: number
  spans: number
  newTraces: number
  /** New and changed. */
  newSpans: number
  /** Ids of the provider's traces that the rows belong to and that are kept. */
  readonly kept: Set<string>
}

const bytes = z.custom<Uint8Array>(value => value instanceof Uint8Array)
const TraceState = z.object({
  no: z.int(),
  read_by: z.string().nullable(),
  lead_span_id: z.string(),
  lead_is_root: z.int(),
  lead_started_at: z.string(),
})
const SpanState = z.object({ no: z.int(), revision: z.int(), digest: bytes, raw: bytes })

/** A trace of this batch, while its rows are written. */
interface OpenTrace {
  readonly no: number
  /** The row that made it, of which it has the name; null where it was there before. */
  readonly first: SpanRow | null
  lead: { spanId: string; isRoot: boolean; startedAt: string }
  /** The row that names the trace from now on. */
  newLead: SpanRow | null
  readonly added: SpanRow[]
  isRevised: boolean
}

/** Spans of one transaction, and characters of them that are searched: to index a span takes longer than all else. */
const [mostAtOnce, mostSearchedAtOnce] = [200, 400_000]

/** Spans as they are stored at a time, so that other requests are answered between. */
export function* inParts(rows: readonly SpanRow[]): Generator<readonly SpanRow[]> {
  let part: SpanRow[] = []
  let searched = 0
  for (const row of rows) {
    if (part.length > 0 && (part.length === mostAtOnce || searched + row.searched.length > mostSearchedAtOnce)) {
      yield part
      ;[part, searched] = [[], 0]
    }
    part.push(row)
    searched += row.searched.length
  }
  if (part.length > 0) yield part
}

/**
 * Writes spans: a new one is added, a changed one becomes the next revision, an equal one changes nothing. The traces' totals follow. In the
 * caller's transaction or a new one.
 */
export function storeSpans(db: Database, scope: SpanScope, rows: readonly SpanRow[], nextId: () => string, now: string): StoredCounts {
  return db.transaction(() => {
    const counts: StoredCounts = { traces: 0, spans: 0, newTraces: 0, newSpans: 0, kept: new Set() }
    const open = new Map<string, OpenTrace | null>()
    for (const row of rows) {
      let trace = open.get(row.traceId)
      if (trace === undefined) {
        trace = openTrace(db, scope, row, counts, nextId, now)
        open.set(row.traceId, trace)
      }
      if (!trace) continue
      counts.kept.add(row.traceId)
      counts.spans += 1
      if (!writeSpan(db, trace, row, now)) continue
      counts.newSpans += 1
      if (row.media) scope.keepFiles(row.media, trace.no)
    }
    for (const trace of open.values()) if (trace) closeTrace(db, trace, now)
    return counts
  })
}

/** Null where the backfill has read as many traces as it may. */
function openTrace(
  db: Database,
  scope: SpanScope,
  row: SpanRow,
  counts: StoredCounts,
  nextId: () => string,
  now: string,
): OpenTrace | null {
  const found = db
    .prepare(
      `select no, read_by, lead_span_id, lead_is_root, lead_started_at from traces
       where workspace_id = ? and source = ? and project = ? and provider_trace_id = ?`,
    )
    .get(scope.workspaceId, scope.source, scope.project, row.traceId)
  const known = found === undefined ? null : TraceState.parse(found)
  if (!known || scope.readBy === null || known.read_by !== scope.readBy) {
    if (counts.traces >= scope.room) return null
    counts.traces += 1
  }
  if (known) {
    if (known.read_by !== scope.readBy && scope.readBy !== null)
      db.prepare('update traces set read_by = ? where no = ?').run(scope.readBy, known.no)
    const lead = { spanId: known.lead_span_id, isRoot: known.lead_is_root === 1, startedAt: known.lead_started_at }
    return { no: known.no, first: null, lead, newLead: null, added: [], isRevised: false }
  }
  counts.newTraces += 1
  const { lastInsertRowid } = db
    .prepare(
      `insert into traces (id, workspace_id, source, project, provider_trace_id, integration_id, name, started_at, ended_at, span_count, error_count,
         input_preview, output_preview, lead_span_id, lead_is_root, lead_started_at, read_by, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      nextId(),
      scope.workspaceId,
      scope.source,
      scope.project,
      row.traceId,
      scope.integrationId,
      row.name,
      row.startedAt,
      row.endedAt,
      row.inputPreview,
      row.outputPreview,
      row.spanId,
      row.isRoot ? 1 : 0,
      row.startedAt,
      scope.readBy,
      now,
      now,
    )
  return {
    no: Number(lastInsertRowid),
    first: row,
    lead: { spanId: row.spanId, isRoot: row.isRoot, startedAt: row.startedAt },
    newLead: row,
    added: [],
    isRevised: false,
  }
}

/** Whether the span is new or changed. */
function writeSpan(db: Database, trace: OpenTrace, row: SpanRow, now: string): boolean {
  const found = db.prepare('select no, revision, digest, raw from spans where trace_no = ? and span_id = ?').get(trace.no, row.spanId)
  if (found !== undefined) {
    const known = SpanState.parse(found)
    if (Buffer.compare(known.digest, row.digest) === 0) return false
    db.prepare('insert into span_revisions (trace_no, span_id, revision, digest, raw, replaced_at) values (?, ?, ?, ?, ?, ?)').run(
      trace.no,
      row.spanId,
      known.revision,
      known.digest,
      known.raw,
      now,
    )
    db.prepare(`update spans set ${spanColumns.map(name => `${name} = ?`).join(', ')} where no = ?`).run(
      ...spanValues(row, known.revision + 1),
      known.no,
    )
    trace.isRevised = true
    db.prepare(`delete from span_search where rowid = ${ofSpan}`).run(trace.no, known.no)
    indexSpan(db, trace.no, known.no, row)
  } else {
    const marks = ['trace_no', 'span_id', ...spanColumns].map(() => '?').join(', ')
    const { lastInsertRowid } = db
      .prepare(`insert into spans (trace_no, span_id, ${spanColumns.join(', ')}) values (${marks})`)
      .run(trace.no, row.spanId, ...spanValues(row, 1))
    indexSpan(db, trace.no, Number(lastInsertRowid), row)
    trace.added.push(row)
  }
  if (leads(row, trace.lead)) {
    trace.lead = { spanId: row.spanId, isRoot: row.isRoot, startedAt: row.startedAt }
    trace.newLead = row
  }
  return true
}

/** Row number of a span in its search index, see migration 0408. */
const ofSpan = '(cast(? as integer) << 32) + cast(? as integer)'

function indexSpan(db: Database, traceNo: number, spanNo: number, { searched }: SpanRow): void {
  db.prepare(`insert into span_search (rowid, text) values (${ofSpan}, ?)`).run(traceNo, spanNo, searched)
}

/** A root comes before any other span, then the earlier one; the lead itself stays it when it changes. */
function leads(row: SpanRow, lead: OpenTrace['lead']): boolean {
  if (row.spanId === lead.spanId) return true
  return row.isRoot === lead.isRoot ? row.startedAt < lead.startedAt : row.isRoot
}

const spanColumns = [
  'revision',
  'parent_span_id',
  'is_root',
  'name',
  'kind',
  'status',
  'started_at',
  'ended_at',
  'duration_ms',
  'model',
  'input_tokens',
  'output_tokens',
  'input_preview',
  'output_preview',
  'mapping_version',
  'digest',
  'raw',
] as const

function spanValues(row: SpanRow, revision: number): readonly (string | number | Uint8Array | null)[] {
  return [
    revision,
    row.parentSpanId,
    row.isRoot ? 1 : 0,
    row.name,
    row.kind,
    row.status,
    row.startedAt,
    row.endedAt,
    row.durationMs,
    row.model,
    row.inputTokens,
    row.outputTokens,
    row.inputPreview,
    row.outputPreview,
    row.mappingVersion,
    row.digest,
    row.raw,
  ]
}

/** Only model calls count tokens and models: spans around them repeat their totals. */
const isCall = `kind in ('llm', 'embedding')`

function closeTrace(db: Database, trace: OpenTrace, now: string): void {
  if (trace.isRevised) recount(db, trace.no, now)
  else if (trace.added.length > 0) addUp(db, trace.no, trace.added, now)
  if (trace.newLead && trace.first !== trace.newLead) rename(db, trace.no, trace.newLead)
  const borrowed = (trace.isRevised || trace.added.length > 0) && borrowPreviews(db, trace.no)
  if (trace.newLead || borrowed) index(db, trace.no, trace.first === null)
}

/**
 * A span that names its trace and only wraps calls has no messages: the trace then shows what the first span with an input was given and
 * what the last one with an output answered, as an example made of it has. Whether it does.
 */
function borrowPreviews(db: Database, no: number): boolean {
  const ofLead = (column: string) => `(select ${column} from spans where trace_no = traces.no and span_id = traces.lead_span_id)`
  const ofOther = (column: string, order: string) =>
    `(select ${column} from spans where trace_no = traces.no and ${column} is not null order by started_at ${order}, no ${order} limit 1)`
  const { changes } = db
    .prepare(
      `update traces set input_preview = coalesce(${ofLead('input_preview')}, ${ofOther('input_preview', 'asc')}),
         output_preview = coalesce(${ofLead('output_preview')}, ${ofOther('output_preview', 'desc')})
       where no = ? and exists (select 1 from spans where trace_no = traces.no and span_id = traces.lead_span_id
         and (input_preview is null or output_preview is null))`,
    )
    .run(no)
  return changes > 0
}

/** From all its spans: for traces of which one changed. */
function recount(db: Database, no: number, now: string): void {
  db.prepare(
    `update traces set (started_at, ended_at, span_count, error_count, input_tokens, output_tokens) =
       (select min(started_at), max(ended_at), count(*), sum(status = 'error'),
          sum(case when ${isCall} then input_tokens end), sum(case when ${isCall} then output_tokens end) from spans where trace_no = traces.no),
     (model, model_started_at) = (select model, started_at from spans where trace_no = traces.no and model is not null and ${isCall}
       order by started_at limit 1), updated_at = ?
     where no = ?`,
  ).run(now, no)
}

function addUp(db: Database, no: number, rows: readonly SpanRow[], now: string): void {
  const calls = rows.filter(({ kind }) => kind === 'llm' || kind === 'embedding')
  const sum = (name: 'inputTokens' | 'outputTokens') => {
    const counts = calls.flatMap(row => row[name] ?? [])
    return counts.length === 0 ? null : counts.reduce((a, b) => a + b, 0)
  }
  const first = calls
    .filter(({ model }) => model !== null)
    .reduce<SpanRow | null>((a, b) => (a && a.startedAt <= b.startedAt ? a : b), null)
  const ends = rows.flatMap(({ endedAt }) => endedAt ?? [])
  const started = rows.reduce((a, { startedAt }) => (startedAt < a ? startedAt : a), rows[0]?.startedAt ?? '')
  const ended = ends.reduce<string | null>((a, b) => (a !== null && a > b ? a : b), null)
  db.prepare(
    `update traces set started_at = min(started_at, ?1), ended_at = case when ended_at is null or ?2 > ended_at then coalesce(?2, ended_at) else ended_at end,
       span_count = span_count + ?3, error_count = error_count + ?4,
       input_tokens = case when ?5 is null then input_tokens else coalesce(input_tokens, 0) + ?5 end,
       output_tokens = case when ?6 is null then output_tokens else coalesce(output_tokens, 0) + ?6 end,
       model = case when ?7 is not null and (model_started_at is null or ?8 < model_started_at) then ?7 else model end,
       model_started_at = case when ?7 is not null and (model_started_at is null or ?8 < model_started_at) then ?8 else model_started_at end,
       updated_at = ?10
     where no = ?9`,
  ).run({
    1: started,
    2: ended,
    3: rows.length,
    4: rows.filter(({ status }) => status === 'error').length,
    5: sum('inputTokens'),
    6: sum('outputTokens'),
    7: first?.model ?? null,
    8: first?.startedAt ?? null,
    9: no,
    10: now,
  })
}

function rename(db: Database, no: number, lead: SpanRow): void {
  db.prepare(
    'update traces set name = ?, input_preview = ?, output_preview = ?, lead_span_id = ?, lead_is_root = ?, lead_started_at = ? where no = ?',
  ).run(lead.name, lead.inputPreview, lead.outputPreview, lead.spanId, lead.isRoot ? 1 : 0, lead.startedAt, no)
}

/** Makes a trace found by its name, its provider's id and its previews. */
function index(db: Database, no: number, wasThere: boolean): void {
  if (wasThere) db.prepare('delete from trace_search where rowid = ?').run(no)
  db.prepare(
    `insert into trace_search (rowid, name, ids, input, output)
     select no, name, provider_trace_id, coalesce(input_preview, ''), coalesce(output_preview, '') from traces where no = ?`,
  ).run(no)
}

const TraceNo = z.object({ no: z.int() })

/** Writes a provider's scores of traces that are stored; the others belong to traces outside the window. */
export function storeAnnotations(db: Database, scope: SpanScope, annotations: readonly ProviderAnnotation[]): void {
  const find = db.prepare('select no from traces where workspace_id = ? and source = ? and project = ? and provider_trace_id = ?')
  const write = db.prepare(
    `insert into trace_annotations (trace_no, provider_id, span_id, name, value, comment, created_at) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (trace_no, provider_id) do update set name = excluded.name, value = excluded.value, comment = excluded.comment`,
  )
  for (const { id, traceId, spanId, name, value, comment, createdAt } of annotations) {
    const trace = TraceNo.safeParse(find.get(scope.workspaceId, scope.source, scope.project, traceId))
    if (!trace.success) continue
    const at = createdAt === null ? null : new Date(createdAt).toISOString()
    write.run(trace.data.no, id, spanId, name, JSON.stringify(value), comment, at)
  }
}
