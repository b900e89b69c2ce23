import { z } from 'zod'
import { TuneOccurrence, TuneWorkload } from '../../contract/tuning/monitors.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import type { MonitorRow } from './monitors.store.ts'

const Texts = z.array(z.string())
const { trigger: Trigger, difference: Difference, detector: Detector } = TuneOccurrence.shape
export type Trigger = TuneOccurrence['trigger']
/** Where the outputs of a workload are read from. */
export type WorkloadSource = Exclude<TuneWorkload, { outputs: unknown }>

export interface NewOccurrenceRow {
  readonly id: string
  readonly monitorNo: number
  readonly kind: TuneOccurrence['kind']
  readonly trigger: Trigger
  readonly source: WorkloadSource | null
  readonly jobId: string
  /** Session or key; null: a schedule. */
  readonly senderId: string | null
  readonly createdAt: string
}

export function insertOccurrence(db: Database, row: NewOccurrenceRow): number {
  const { lastInsertRowid } = db.run(
    db.sql.insertInto('tune_occurrences').values({
      id: row.id,
      monitor_no: row.monitorNo,
      kind: row.kind,
      trigger: JSON.stringify(row.trigger),
      event_key: row.trigger.key,
      source: row.source && JSON.stringify(row.source),
      status: 'accepted',
      skip_reason: null,
      failure_code: null,
      failure_message: null,
      verdict: null,
      reason: null,
      quote_id: null,
      run_id: null,
      job_id: row.jobId,
      n: null,
      unscored: null,
      duplicates: null,
      difference: null,
      detector: null,
      month: null,
      sender_id: row.senderId,
      conflicts: null,
      created_at: row.createdAt,
      finished_at: null,
    }),
  )
  return lastInsertRowid
}

export type OccurrenceRow = NonNullable<ReturnType<typeof findOccurrence>>

export function findOccurrence(db: Database, id: string) {
  return db.first(db.sql.selectFrom('tune_occurrences').selectAll().where('id', '=', id))
}

export function findByKey(db: Database, monitorNo: number, key: string): OccurrenceRow | undefined {
  return db.first(db.sql.selectFrom('tune_occurrences').selectAll().where('monitor_no', '=', monitorNo).where('event_key', '=', key))
}

/** When the nth occurrence before now was accepted of all that somebody sent to any monitor; null while there are fewer. */
export function nthLatestOf(db: Database, senderId: string, n: number): string | null {
  const sent = db.sql.selectFrom('tune_occurrences').select('created_at').where('sender_id', '=', senderId).orderBy('no', 'desc')
  return db.first(sent.limit(1).offset(n - 1))?.created_at ?? null
}

/** Whether at least n occurrences of somebody's have not ended. */
export function hasOpen(db: Database, senderId: string, n: number): boolean {
  const open = db
    .prepare(`select 1 from tune_occurrences where sender_id = ? and status in ('accepted', 'running') limit 1 offset ?`)
    .get(senderId, n - 1)
  return open !== undefined
}

/** Whether another event of the monitor came after this one. */
export function isSuperseded(db: Database, { no, monitor_no, kind }: Pick<OccurrenceRow, 'no' | 'monitor_no' | 'kind'>): boolean {
  if (kind !== 'event') return false
  const later = db.sql.selectFrom('tune_occurrences').select('no').where('monitor_no', '=', monitor_no).where('kind', '=', 'event')
  return db.first(later.where('no', '>', no).limit(1)) !== undefined
}

/** What an occurrence learns of itself; its state is the transition's. */
export type OccurrenceChanges = Partial<{
  skip_reason: OccurrenceRow['skip_reason']
  failure_code: string
  failure_message: string
  verdict: OccurrenceRow['verdict']
  reason: string | null
  quote_id: string
  run_id: string
  n: number
  unscored: number
  duplicates: number
  difference: string | null
  detector: string | null
  month: string
  held_microusd: number
  spent_microusd: number
  billed_microusd: number
  conflicts: string
  finished_at: string
}>

export function changeOccurrence(db: Database, id: string, changes: OccurrenceChanges): void {
  db.run(db.sql.updateTable('tune_occurrences').set(changes).where('id', '=', id))
}

export function triggerOf({ trigger }: Pick<OccurrenceRow, 'trigger'>): Trigger {
  return Trigger.parse(JSON.parse(trigger))
}

export function sourceOf(row: Pick<OccurrenceRow, 'source'>): WorkloadSource | null {
  if (row.source === null) return null
  const source = TuneWorkload.parse(JSON.parse(row.source))
  return 'outputs' in source ? null : source
}

export function listOccurrences(db: Database, monitor: Pick<MonitorRow, 'no' | 'id'>, page: PageQuery) {
  const select = db.sql.selectFrom('tune_occurrences').selectAll().where('monitor_no', '=', monitor.no)
  return newestFirst(db, select, 'no', { endpoint: 'listTuneOccurrences', filters: { id: monitor.id } }, page, row =>
    toOccurrence(monitor.id, row),
  )
}

function toOccurrence(monitorId: string, row: OccurrenceRow): TuneOccurrence {
  return {
    id: row.id,
    monitor_id: monitorId,
    kind: row.kind,
    trigger: triggerOf(row),
    status: row.status,
    skip_reason: row.skip_reason,
    failure: row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
    verdict: row.verdict,
    reason: row.reason,
    run_id: row.run_id,
    job_id: row.job_id,
    n: row.n,
    unscored: row.unscored,
    duplicates: row.duplicates,
    conflicting_ids: row.conflicts === null ? [] : Texts.parse(JSON.parse(row.conflicts)),
    difference: row.difference === null ? null : Difference.parse(JSON.parse(row.difference)),
    detector: row.detector === null ? null : Detector.parse(JSON.parse(row.detector)),
    spent_microusd: String(row.spent_microusd),
    provider_billed_microusd: String(row.billed_microusd),
    created_at: row.created_at,
    finished_at: row.finished_at,
  }
}
