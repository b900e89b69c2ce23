import { markOf, ScoreClass, type FrozenProfile, type Sample, type sampleSorts } from '../../contract/index.ts'
import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, toPage } from '../../storage/keyset.ts'
import { sampleId } from '../../storage/sample-id.ts'

export interface SamplesQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly status?: Sample['status'] | undefined
  readonly profile?: string | undefined
  readonly passed?: 'true' | 'false' | 'none' | undefined
  readonly q: string
  readonly sort: (typeof sampleSorts)[number]
}

interface RunOfSamples {
  readonly no: number
  readonly id: string
  readonly profiles: readonly FrozenProfile[]
}

const columnOf = { position: 's.position', value: 's.value', latency: 's.latency_ms', output_tokens: 's.output_tokens' } as const

const Row = z.object({
  position: z.int(),
  profile_no: z.int(),
  task_id: z.string(),
  epoch: z.int(),
  status: z.enum(['pending', 'calling', 'answered', 'scored', 'failed', 'excluded', 'missing', 'cancelled']),
  passed: z.int().nullable(),
  value: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  attempts: z.int(),
  latency_ms: z.number().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  output_preview: z.string().nullable(),
  finish_reason: z.string().nullable(),
  finished_at: z.int().nullable(),
  cached: z.int(),
  sort_key: z.number().nullable(),
})
type Row = z.infer<typeof Row>

const ScoreRow = z.object({
  position: z.int(),
  metric_no: z.int(),
  value: z.number().nullable(),
  class: ScoreClass,
  answer: z.string().nullable(),
})
type ScoreRow = z.infer<typeof ScoreRow>

/** A page of samples. Nulls sort last, whichever way; the position breaks ties. */
export function listSamples(db: Database, run: RunOfSamples, query: SamplesQuery) {
  const { cursor, limit, ...filters } = query
  const listing: Listing = { endpoint: 'listSamples', filters: { run: run.id, ...filters } }
  const descending = query.sort.startsWith('-')
  // Without its minus a sort is one of the columns' names, by the contract's own list.
  const column = columnOf[query.sort.replace('-', '') as keyof typeof columnOf]
  const conditions: string[] = ['s.run_no = ?']
  const values: unknown[] = [run.no]
  const where = (condition: string, ...bound: unknown[]) => {
    conditions.push(condition)
    values.push(...bound)
  }
  if (query.status) where('s.status = ?', query.status)
  if (query.profile !== undefined)
    where(
      's.profile_no = ?',
      run.profiles.findIndex(p => p.profile_id === query.profile),
    )
  if (query.passed === 'none') where('s.passed is null')
  else if (query.passed) where('s.passed = ?', query.passed === 'true' ? 1 : 0)
  if (query.q) {
    const text = `%${query.q.replaceAll(/[\\%_]/g, match => `\\${match}`)}%`
    // Read through in order, each table once: looking each sample's rows up would take several times as long.
    where(
      `(t.task_id like ? escape '\\'
        or s.position in (select position from scores where run_no = ? and answer like ? escape '\\')
        or s.position in (select a.position from attempts a join samples o on o.run_no = ? and o.position = a.position and o.attempts = a.number
          and coalesce(o.source_no, o.run_no) = a.run_no
          where a.run_no in (select no from runs where no = ? or part_of = ?) and a.output_preview like ? escape '\\'))`,
      text,
      run.no,
      text,
      run.no,
      run.no,
      run.no,
      text,
    )
  }
  if (cursor) after(where, column, descending, decodeCursor(listing, cursor, 2))
  const order =
    column === 's.position'
      ? `s.position ${descending ? 'desc' : 'asc'}`
      : `${column} is null, ${column} ${descending ? 'desc' : 'asc'}, s.position asc`
  const rows = db
    .prepare(
      // The page is chosen first, from the samples alone; only its rows are looked up elsewhere.
      `with page as materialized (select s.position from samples s ${query.q ? 'join tasks t on t.no = s.task_no' : ''}
         where ${conditions.join(' and ')} order by ${order} limit ?)
       select s.position, s.profile_no, t.task_id, s.epoch, s.status, s.passed, s.value, s.error_code, s.error_message, s.attempts, s.latency_ms,
       s.input_tokens, s.output_tokens, a.output_preview, a.finish_reason, s.finished_at, s.cached, ${column} as sort_key
       from page cross join samples s on s.run_no = ? and s.position = page.position join tasks t on t.no = s.task_no
       left join attempts a on a.run_no = coalesce(s.source_no, s.run_no) and a.position = s.position and a.number = s.attempts
       order by ${order}`,
    )
    .all(...values, limit + 1, run.no)
    .map(row => Row.parse(row))
  const scores = scoresOf(db, run.no, rows)
  return toPage(
    rows,
    limit,
    listing,
    row => [row.sort_key, row.position],
    row => toSample(row, run, scores.get(row.position) ?? []),
  )
}

/** Places of the samples before and after one; a part of a run has only some of its places. */
export function neighboursOf(db: Database, runNo: number, position: number): { previous: number | null; next: number | null } {
  const samples = db.sql.selectFrom('samples').where('run_no', '=', runNo)
  const previous = db.first(samples.select(e => e.fn.max<number | null>('position').as('at')).where('position', '<', position))
  const next = db.first(samples.select(e => e.fn.min<number | null>('position').as('at')).where('position', '>', position))
  return { previous: previous?.at ?? null, next: next?.at ?? null }
}

function after(
  where: (condition: string, ...bound: unknown[]) => void,
  column: string,
  descending: boolean,
  position: readonly (string | number | null)[],
): void {
  const [key, place] = position
  const beyond = descending ? '<' : '>'
  if (column === 's.position') where(`s.position ${beyond} ?`, place)
  else if (key === null) where(`${column} is null and s.position > ?`, place)
  else where(`(${column} ${beyond} ? or (${column} = ? and s.position > ?) or ${column} is null)`, key, key, place)
}

function scoresOf(db: Database, runNo: number, rows: readonly Row[]): Map<number, ScoreRow[]> {
  const latest = db.prepare(
    `select position, metric_no, value, class, answer from scores c where run_no = ? and position in (select value from json_each(?))
     and version = (select max(version) from scores d where d.run_no = c.run_no and d.position = c.position and d.metric_no = c.metric_no) order by position, metric_no`,
  )
  const positions = JSON.stringify(rows.map(row => row.position))
  return Map.groupBy(
    latest.all(runNo, positions).map(score => ScoreRow.parse(score)),
    score => score.position,
  )
}

function toSample(row: Row, run: RunOfSamples, scores: readonly ScoreRow[]): Sample {
  const profile = run.profiles[row.profile_no]
  return {
    id: sampleId(run.id, row.position),
    run_id: run.id,
    position: row.position,
    profile_id: profile?.profile_id ?? '',
    task_id: row.task_id,
    epoch: row.epoch,
    status: row.status,
    passed: row.passed === null ? null : row.passed === 1,
    scores: scores.flatMap(score => {
      const metric = profile?.metrics[score.metric_no]
      return metric ? [{ metric: metric.id, scorer: metric.scorer, value: score.value, class: score.class, answer: score.answer }] : []
    }),
    error: row.error_code === null || row.status === 'scored' ? null : { code: row.error_code, message: row.error_message ?? '' },
    attempts: row.attempts,
    latency_ms: row.latency_ms,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached: row.cached === 1,
    output_preview: row.output_preview,
    mark: row.output_preview === null ? null : markOf(row.finish_reason, row.output_preview.trim() === ''),
    finished_at: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  }
}
