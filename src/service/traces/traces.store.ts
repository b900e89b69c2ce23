import { type SelectQueryBuilder, sql } from 'kysely'
import type { Trace, TraceSource } from '../../contract/traces/traces.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled, type Filing } from '../../storage/reads/filed-items.ts'
import { decodeCursor, toPage } from '../../storage/keyset.ts'
import type { Tables } from '../../storage/schema/tables.ts'

export interface TracesQuery extends Filing {
  readonly source?: TraceSource | undefined
  readonly integration_id?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly q: string
  readonly model?: string | undefined
  readonly has_error?: boolean | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

const columns = [
  'no',
  'id',
  'source',
  'integration_id',
  'provider_trace_id',
  'name',
  'model',
  'started_at',
  'ended_at',
  'span_count',
  'error_count',
  'input_tokens',
  'output_tokens',
  'input_preview',
  'output_preview',
] as const

/** Newest start first. */
export function listTraces(db: Database, workspaceId: string, query: TracesQuery): { items: Trace[]; next_cursor: string | null } {
  const { cursor, limit, ...filters } = query
  const listing = { endpoint: 'listTraces', filters: { workspaceId, ...filters } }
  const words = searchWords(query.q)
  if (query.q.trim() !== '' && words === null) return { items: [], next_cursor: null }
  let select = db.sql.selectFrom('traces').select(columns).where('workspace_id', '=', workspaceId)
  if (query.source) select = select.where('source', '=', query.source)
  if (query.integration_id) select = select.where('integration_id', '=', query.integration_id)
  if (query.from) select = select.where('started_at', '>=', query.from)
  if (query.to) select = select.where('started_at', '<', query.to)
  if (query.model) select = select.where('model', '=', query.model)
  select = select.where(isFiled('trace', 'traces.id', workspaceId, query))
  // Literally, as the index of traces with errors needs it.
  if (query.has_error === true) select = select.where('error_count', '>', sql.lit(0))
  if (query.has_error === false) select = select.where('error_count', '=', 0)
  if (words !== null) select = withWords(db, select, words)
  if (cursor) {
    const [startedAt, no] = decodeCursor(listing, cursor, 2)
    select = select.where(sql<boolean>`(started_at, no) < (${String(startedAt)}, ${Number(no)})`)
  }
  const rows = db.all(
    select
      .orderBy('started_at', 'desc')
      .orderBy('no', 'desc')
      .limit(limit + 1),
  )
  return toPage(
    rows,
    limit,
    listing,
    row => [row.started_at, row.no],
    ({ no: _, ...row }) => ({
      ...row,
      duration_ms: row.ended_at === null ? null : Math.max(0, Date.parse(row.ended_at) - Date.parse(row.started_at)),
    }),
  )
}

/** Fewer hits than this are sorted; with more, traces are walked from the newest on, and each is looked up among the hits. */
const fewHits = 2000

function withWords<Row>(db: Database, select: SelectQueryBuilder<Tables, 'traces', Row>, words: string) {
  const hits = db.prepare('select 1 from trace_search where trace_search match ? limit ?').all(words, fewHits)
  return hits.length < fewHits
    ? select.where(sql<boolean>`no in (select rowid from trace_search where trace_search match ${words})`)
    : select.where(sql<boolean>`+no in (select rowid from trace_search where trace_search match ${words})`)
}

/** Every word, the last as a beginning because it may be unfinished; null where the text holds none. */
function searchWords(q: string): string | null {
  const words = q.match(/[\p{L}\p{N}]+/gu)?.slice(0, 12) ?? []
  return words.length === 0 ? null : `${words.map(word => `"${word}"`).join(' ')}*`
}

/** Traces of an integration that started in [from, to), the newest where there are more than `limit`. */
export function traceIdsBetween(
  db: Database,
  workspaceId: string,
  { integrationId, from, to }: { readonly integrationId: string; readonly from: string; readonly to: string },
  limit: number,
): string[] {
  const rows = db.all(
    db.sql
      .selectFrom('traces')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('integration_id', '=', integrationId)
      .where('started_at', '>=', from)
      .where('started_at', '<', to)
      .orderBy('started_at', 'desc')
      .limit(limit),
  )
  return rows.map(({ id }) => id)
}

/** The first of some ids that no stored trace has; null where all have one. */
export function missingTrace(db: Database, workspaceId: string, ids: readonly string[]): string | null {
  const find = db.prepare('select 1 from traces where workspace_id = ? and id = ?')
  return ids.find(id => find.get(workspaceId, id) === undefined) ?? null
}

/** When stored traces started, by id. */
export function traceStarts(db: Database, workspaceId: string, ids: readonly string[]): Map<string, string> {
  const rows = db.all(
    db.sql
      .selectFrom('traces')
      .select(['id', 'started_at'])
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', [...ids]),
  )
  return new Map(rows.map(({ id, started_at }) => [id, started_at]))
}
