import { type InferResult, type RawBuilder, sql, type Updateable } from 'kysely'
import type { RunFilter } from '../../contract/runs/run-filter.schemas.ts'
import type { RunSort } from '../../contract/runs/runs.schemas.ts'
import { sampleMachine } from '../../contract/runs/sample.machine.ts'
import type { Database } from '../../storage/database.ts'
import { noteEvaluators } from '../../storage/runs/evaluator-uses.store.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { numbersIn } from '../../storage/numbers-in.ts'
import { ofRun } from '../../storage/reads/annotations.ts'
import { nextNumber } from '../../storage/row-numbers.ts'
import type { RunsTable } from '../../storage/schema/runs.ts'
import { storedLimit } from '../../storage/stored-limit.ts'
import { isMatchingRun } from './matching-runs.store.ts'

export interface NewRunRow {
  readonly id: string
  readonly workspaceId: string
  readonly quoteId: string
  readonly operationKey: string | null
  readonly principalId: string
  readonly name: string
  readonly frozen: number
  readonly maxCharge: bigint
  readonly held: bigint
  readonly search: string
  readonly createdAt: string
  /** Micro-USD that the connection's provider may bill; null: no cap. */
  readonly maxBilled: bigint | null
  /** Micro-USD set aside under the key's provider ceiling. */
  readonly providerHeld: bigint
  /** Of a part: the run whose samples it asks again, and which of them. */
  readonly part?: { readonly of: number; readonly selection: 'failed' | 'chosen'; readonly profiles: string | null }
  /** Only samples at positions below it are run at first; null: all. */
  readonly gate?: number | null
  /** Of imported answers: SHA-256 over their files. */
  readonly answersDigest?: string
}

const selectRuns = (db: Database) =>
  db.sql
    .selectFrom('runs')
    .innerJoin('quotes', 'quotes.id', 'runs.quote_id')
    .select([
      'runs.no',
      'runs.id',
      'runs.workspace_id',
      'runs.quote_id',
      'runs.operation_key',
      'runs.name',
      'runs.status',
      'runs.accounting_state',
      'runs.stop_code',
      'runs.stop_message',
      'runs.frozen',
      'runs.retries',
      'runs.unknown_calls',
      'runs.max_charge_microusd',
      'runs.held_microusd',
      'runs.charged_microusd',
      'runs.result_version',
      'runs.created_at',
      'runs.started_at',
      'runs.finished_at',
      'runs.part_of',
      'runs.part_asks',
      'runs.merged_version',
      'runs.concurrency',
      'runs.running_ms',
      'runs.cached',
      'runs.billed_microusd',
      'runs.max_billed_microusd',
      'runs.provider_held_microusd',
      'runs.uncertain_microusd',
      'runs.archived_at',
      'runs.pinned_at',
      'runs.deleted_at',
      'runs.regraded_profiles',
      'runs.sandboxes',
      'runs.answers',
      'runs.answers_digest',
      'runs.principal_id',
      'runs.pause_code',
      'runs.pause_message',
      'runs.paused_at',
      'runs.gate',
      'quotes.record as quote',
    ])

export type RunRow = InferResult<ReturnType<typeof selectRuns>>[number]

/** With a workspace and an id to be bound. Built once: nearly every read of a run begins with it. */
let findRunSql: string | undefined

export function findRun(db: Database, workspaceId: string, id: string): RunRow | undefined {
  findRunSql ??= selectRuns(db)
    .where('runs.workspace_id', '=', '')
    .where('runs.id', '=', '')
    .where('runs.answers', '!=', sql.lit<'importing'>('importing'))
    .where('runs.deleted_at', 'is', null)
    .compile().sql
  return db.prepare(findRunSql).get(workspaceId, id.toLowerCase()) as RunRow | undefined // the row of the query that was built
}

/** The run that this quote and key name permanently, also after it was deleted. */
export function findRunByOperation(db: Database, workspaceId: string, quoteId: string, key: string) {
  return db.first(
    selectRuns(db).where('runs.workspace_id', '=', workspaceId).where('runs.quote_id', '=', quoteId).where('runs.operation_key', '=', key),
  )
}

export function findRunByNo(db: Database, no: number) {
  return db.first(selectRuns(db).where('runs.no', '=', no))
}

/** The statuses literally, as the index of runs that have not ended needs it: it is asked every few seconds. */
export function openRuns(db: Database) {
  return db.all(
    selectRuns(db)
      .where('runs.status', 'in', [sql.lit<'queued'>('queued'), sql.lit<'running'>('running'), sql.lit<'cancelling'>('cancelling')])
      .where('runs.answers', '!=', 'importing')
      .where('runs.deleted_at', 'is', null)
      .orderBy('runs.no'),
  )
}

/** Runs of at least so many samples that have a result, newest first. */
export function largeRunsWithResult(db: Database, fewestSamples: number) {
  return db.all(
    selectRuns(db)
      .where('runs.frozen', '>=', fewestSamples)
      .where('runs.result_version', 'is not', null)
      .where('runs.deleted_at', 'is', null)
      // The sign keeps SQLite from reading every run in this order.
      .orderBy(sql`+runs.no`, 'desc'),
  )
}

export interface RunsQuery extends RunFilter, PageQuery {
  readonly sort?: RunSort
}

type SortKey = string | number | null

/** What runs are sorted by beside their age, which their ids say. */
const sortKeys: Readonly<Record<string, RawBuilder<SortKey>>> = {
  score: sql`(select s.mean from run_scores s where s.run_no = runs.no and s.position = 0 and s.biased = 0)`,
  name: sql`lower(runs.name)`,
  samples: sql`runs.frozen`,
  pinned: sql`runs.pinned_at is not null`,
  bookmarked: sql`exists (select 1 from run_marks m where m.run_no = runs.no and m.position = ${ofRun} and m.kind = 'bookmark')`,
}

/** @param toItems the runs of the page, as they are shown */
export function listRuns<Item>(db: Database, workspaceId: string, query: RunsQuery, toItems: (rows: RunRow[]) => Item[]) {
  const { cursor, limit, sort = '-created', ...narrowed } = query
  const filters = { workspaceId, ...narrowed, sort: sort === '-created' ? undefined : sort }
  const listing: Listing = { endpoint: 'listRuns', filters }
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const key = sortKeys[sort.replace('-', '')]
  let select = selectRuns(db)
    .select((key ?? sql<SortKey>`null`).as('sort_key'))
    .where(isMatchingRun(workspaceId, narrowed))
    .limit(limit + 1)
  // Runs without a score last, whichever way; the id breaks ties.
  if (key) select = select.orderBy(sql`${key} is null`).orderBy(key, direction)
  select = select.orderBy('runs.id', direction)
  if (cursor) {
    const [last = null, id] = key ? decodeCursor(listing, cursor, 2) : [null, decodeCursor(listing, cursor, 1)[0]]
    const beyond = sql.raw(direction === 'desc' ? '<' : '>')
    const tied = sql<boolean>`runs.id ${beyond} ${String(id)}`
    if (!key) select = select.where(tied)
    else if (last === null) select = select.where(sql<boolean>`(${key} is null and ${tied})`)
    else select = select.where(sql<boolean>`(${key} is null or ${key} ${beyond} ${last} or (${key} = ${last} and ${tied}))`)
  }
  const page = toPage(
    db.all(select),
    limit,
    listing,
    row => (key ? [row.sort_key, row.id] : [row.id]),
    row => row,
  )
  return { ...page, items: toItems(page.items) }
}

/** The run, in the caller's transaction; its frozen samples are made a few at a time when it is executed. */
export function insertRun(db: Database, run: NewRunRow): number {
  const no = nextNumber(db, 'runs')
  db.run(
    db.sql.insertInto('runs').values({
      no,
      id: run.id,
      workspace_id: run.workspaceId,
      quote_id: run.quoteId,
      operation_key: run.operationKey,
      principal_id: run.principalId,
      name: run.name,
      status: 'queued',
      accounting_state: 'none',
      stop_code: null,
      stop_message: null,
      frozen: run.frozen,
      retries: 0,
      unknown_calls: 0,
      max_charge_microusd: storedLimit(run.maxCharge),
      held_microusd: Number(run.held),
      charged_microusd: 0,
      result_version: null,
      dictionary: null,
      search: run.search,
      created_at: run.createdAt,
      started_at: null,
      finished_at: null,
      part_of: run.part?.of ?? null,
      part_asks: run.part?.selection ?? null,
      regraded_profiles: run.part?.profiles ?? null,
      answers: run.answersDigest === undefined ? 'model' : 'importing',
      answers_digest: run.answersDigest ?? null,
      max_billed_microusd: run.maxBilled === null ? null : storedLimit(run.maxBilled),
      provider_held_microusd: Number(run.providerHeld),
      gate: run.gate ?? null,
    }),
  )
  db.run(db.sql.insertInto('run_counts').values({ run_no: no, status: sampleMachine.initial, n: run.frozen }))
  return no
}

export function markStarted(db: Database, no: number, at: string): void {
  db.run(db.sql.updateTable('runs').set({ started_at: at }).where('no', '=', no).where('started_at', 'is', null))
}

export function markStopped(db: Database, no: number, reason: { code: string; message: string }): void {
  db.run(
    db.sql
      .updateTable('runs')
      .set({ stop_code: reason.code, stop_message: reason.message })
      .where('no', '=', no)
      .where('stop_code', 'is', null),
  )
}

export function markFinished(db: Database, no: number, at: string, resultVersion: number | null): void {
  db.run(
    db.sql
      .updateTable('runs')
      .set({
        finished_at: at,
        result_version: resultVersion,
        held_microusd: 0,
        // What its provider may still bill counts under a key's ceiling.
        provider_held_microusd: sql<number>`iif(uncertain_microusd > 0, billed_microusd + uncertain_microusd, 0)`,
        pause_code: null,
        pause_message: null,
        paused_at: null,
      })
      .where('no', '=', no),
  )
}

/** In the caller's transaction. */
export function updateRun(db: Database, no: number, changes: Updateable<RunsTable>): void {
  if (Object.keys(changes).length > 0) db.run(db.sql.updateTable('runs').set(changes).where('no', '=', no))
}

export function markNewVersion(db: Database, no: number, version: number): void {
  db.run(db.sql.updateTable('runs').set({ result_version: version }).where('no', '=', no))
}

/** Failed samples by code, the commonest first. */
export function failuresOf(db: Database, no: number): { code: string; count: number }[] {
  return db
    .all(
      db.sql
        .selectFrom('samples')
        .select(['error_code', e => e.fn.countAll<number>().as('count')])
        .where('run_no', '=', no)
        // Literally, as the index of failures needs it.
        .where('status', '=', sql.lit<'failed'>('failed'))
        .groupBy('error_code')
        .orderBy('count', 'desc')
        .orderBy('error_code'),
    )
    .map(({ error_code, count }) => ({ code: error_code ?? 'unknown', count }))
}

/** Samples by status. */
export function countsOf(db: Database, no: number): Map<string, number> {
  return countsOfRuns(db, [no]).get(no) ?? new Map()
}

/** Samples by status, of each run. */
export function countsOfRuns(db: Database, runNos: readonly number[]): Map<number, Map<string, number>> {
  const rows = db.all(db.sql.selectFrom('run_counts').select(['run_no', 'status', 'n']).where('run_no', 'in', numbersIn(runNos)))
  const byRun = Map.groupBy(rows, row => row.run_no)
  return new Map([...byRun].map(([no, counts]) => [no, new Map(counts.map(({ status, n }) => [status, n]))]))
}

export function insertResult(db: Database, no: number, version: number, record: string, at: string): void {
  db.run(db.sql.insertInto('results').values({ run_no: no, version, created_at: at, record }))
  noteEvaluators(db, { runNo: no }, record)
}

export function findResult(db: Database, no: number, version: number): string | null {
  return db.first(db.sql.selectFrom('results').select('record').where('run_no', '=', no).where('version', '=', version))?.record ?? null
}

/** @throws Error where there is no such result */
export function resultMadeAt(db: Database, no: number, version: number): string {
  const row = db.first(db.sql.selectFrom('results').select('created_at').where('run_no', '=', no).where('version', '=', version))
  if (!row) throw new Error(`Run ${no} has no result ${version}.`)
  return row.created_at
}

/** Scored samples and the sum of their primary values, by profile. */
export function primaryTotals(db: Database, no: number, profiles: number): { n: number; sum: number }[] {
  const rows = db.all(
    db.sql
      .selectFrom('samples')
      .select(['profile_no', e => e.fn.count<number>('value').as('n'), e => e.fn.sum<number | null>('value').as('sum')])
      .where('run_no', '=', no)
      .where('status', '=', 'scored')
      .groupBy('profile_no'),
  )
  return Array.from({ length: profiles }, (_, profileNo) => {
    const row = rows.find(r => r.profile_no === profileNo)
    return { n: row?.n ?? 0, sum: row?.sum ?? 0 }
  })
}

/** Whatever became of the run. */
export function runNumber(db: Database, runId: string): number | null {
  return db.first(db.sql.selectFrom('runs').select('no').where('id', '=', runId))?.no ?? null
}

/** When the oldest answer that a run took from the cache was given, in milliseconds since 1970. */
export function oldestCached(db: Database, runNo: number): number | null {
  const found = db.first(
    db.sql
      .selectFrom('attempts')
      .select(({ fn }) => fn.min('started_at').as('at'))
      .where('run_no', '=', runNo)
      .where('cached', '=', 1),
  )
  return found?.at ?? null
}
