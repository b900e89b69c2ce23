import { type SelectQueryBuilder, sql } from 'kysely'
import type { TraceFilter } from '../../contract/traces/trace-filter.schemas.ts'
import type { Trace } from '../../contract/traces/traces.schemas.ts'
import { parseTextQuery, type QueryTerm, type TextQuery, toIndexExpression } from '../../lib/text-query.ts'
import type { FindTracesTask } from '../../workers/trace-tasks.ts'
import type { Database } from '../../storage/database.ts'
import { isFiled } from '../../storage/reads/filed-items.ts'
import { decodeCursor, type PageQuery, toPage } from '../../storage/keyset.ts'
import type { Tables } from '../../storage/schema/tables.ts'

export type TracesQuery = TraceFilter & PageQuery

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

/** Numbers of the traces that contain an exact text, found by a thread. */
export type FindTraces = (search: Omit<FindTracesTask, 'kind'>) => Promise<readonly number[]>

/** Newest start first. */
export async function listTraces(
  db: Database,
  find: FindTraces,
  workspaceId: string,
  query: TracesQuery,
): Promise<{ items: Trace[]; next_cursor: string | null }> {
  const { cursor, limit, ...filters } = query
  const listing = { endpoint: 'listTraces', filters: { workspaceId, ...filters } }
  const search = parseTextQuery(query.q, query.match)
  let every = narrowed(db, workspaceId, filters).orderBy('started_at', 'desc').orderBy('no', 'desc')
  if (cursor) {
    const [startedAt, no] = decodeCursor(listing, cursor, 2)
    every = every.where(sql<boolean>`(started_at, no) < (${String(startedAt)}, ${Number(no)})`)
  }
  let select = search ? withWords(db, every, searchedWords(query.q, search)) : every
  if (search?.kind === 'exact') {
    const { sql: of, parameters } = select.select('no').compile()
    const found = await find({ among: { sql: of, parameters }, text: search.text, most: limit + 1 })
    select = select.where('no', 'in', numbers(found))
  }
  const rows = db.all(select.select(columns).limit(limit + 1))
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

/** UTC, milliseconds. */
const asStored = (time: string): string => new Date(time).toISOString()

const numbers = (all: readonly number[]) => sql<number>`(select value from json_each(${JSON.stringify(all)}))`

/** The traces that a filter matches, whatever their texts. */
function narrowed(db: Database, workspaceId: string, query: TraceFilter) {
  let select = db.sql.selectFrom('traces').where('workspace_id', '=', workspaceId)
  if (query.source) select = select.where('source', '=', query.source)
  if (query.integration_id) select = select.where('integration_id', '=', query.integration_id)
  if (query.from) select = select.where('started_at', '>=', asStored(query.from))
  if (query.to) select = select.where('started_at', '<', asStored(query.to))
  if (query.model) select = select.where('model', '=', query.model)
  select = select.where(isFiled('trace', 'traces.id', workspaceId, query))
  // Literally, as the index of traces with errors needs it.
  if (query.has_error === true) select = select.where('error_count', '>', sql.lit(0))
  if (query.has_error === false) select = select.where('error_count', '=', 0)
  return select
}

/** @param asOf a time after which none of them came or changed */
export async function matchingTraceIds(
  db: Database,
  find: FindTraces,
  workspaceId: string,
  filter: TraceFilter,
  asOf?: string,
): Promise<string[]> {
  const search = parseTextQuery(filter.q, filter.match)
  const narrow = narrowed(db, workspaceId, filter)
  const every = asOf === undefined ? narrow : narrow.where('updated_at', '<', asOf)
  let select = search ? withWords(db, every, searchedWords(filter.q, search)) : every
  if (search?.kind === 'exact') {
    const { sql: of, parameters } = select.select('no').compile()
    const found = await find({ among: { sql: of, parameters }, text: search.text, most: Number.MAX_SAFE_INTEGER })
    select = select.where('no', 'in', numbers(found))
  }
  return db.all(select.select('id')).map(({ id }) => id)
}

type Selected<Row> = SelectQueryBuilder<Tables, 'traces', Row>

/** Fewer hits than this are sorted; with more, traces are walked from the newest on, and each is looked up among the hits. */
const fewHits = 2000

/** Of an exact text, the traces that contain its whole words. */
function withWords<Row>(db: Database, select: Selected<Row>, { wanted, excluded }: TraceSearch): Selected<Row> {
  let found = select
  if (wanted) {
    const hits = hitsOf(wanted)
    found = found.where(isFrequent(db, wanted) ? sql<boolean>`+no in (${hits})` : sql<boolean>`no in (${hits})`)
  }
  for (const words of excluded) found = found.where(sql<boolean>`no not in (${hitsOf(words)})`)
  return found
}

function isFrequent(db: Database, { inTraces, inSpans }: SearchedWords): boolean {
  const found = db
    .prepare(`select 1 from trace_search where trace_search match ? union all select 1 from span_search where span_search match ? limit ?`)
    .all(inTraces, inSpans, fewHits)
  return found.length === fewHits
}

/** Traces by name, ids and previews, and by what one of their spans says. */
function hitsOf({ inTraces, inSpans }: SearchedWords) {
  return sql`select rowid as no from trace_search where trace_search match ${inTraces}
    union all select rowid >> 32 from span_search where span_search match ${inSpans}`
}

/** The same words as expressions of both indexes. */
interface SearchedWords {
  readonly inTraces: string
  readonly inSpans: string
}

interface TraceSearch {
  /** Null where only exclusions were typed, or an exact text without a whole word. */
  readonly wanted: SearchedWords | null
  readonly excluded: readonly SearchedWords[]
}

/** Of a name or an id, the last word is a beginning because it may be unfinished. */
function searchedWords(q: string, query: TextQuery): TraceSearch {
  if (query.kind === 'exact') {
    const whole = toIndexExpression(query)
    return { wanted: whole === null ? null : { inTraces: whole, inSpans: whole }, excluded: [] }
  }
  const wanted = query.terms.filter(term => !term.isExcluded)
  const quoted = wanted.map(inTraces)
  const beginning = q.trimEnd().endsWith('"') || quoted.at(-1)?.endsWith('*') ? '' : '*'
  return {
    wanted: wanted.length === 0 ? null : { inTraces: `${quoted.join(' AND ')}${beginning}`, inSpans: expressionOf(wanted) },
    excluded: query.terms
      .filter(term => term.isExcluded)
      .map(term => ({ inTraces: inTraces(term), inSpans: expressionOf([{ ...term, isExcluded: false }]) })),
  }
}

/** As it was typed: the index of traces holds texts as they are, and no search documents. A NUL would end the expression. */
const inTraces = ({ typed, isPrefix }: QueryTerm): string => `"${typed.replaceAll('\0', ' ').replaceAll('"', '""')}"${isPrefix ? '*' : ''}`
const expressionOf = (terms: readonly QueryTerm[]): string => toIndexExpression({ kind: 'words', terms }) ?? ''

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
