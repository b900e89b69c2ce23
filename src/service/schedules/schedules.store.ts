import { sql } from 'kysely'
import { z } from 'zod'
import { RunGroupQuoteRequest } from '../../contract/run-groups/run-groups.schemas.ts'
import { FrozenTerms, type Schedule, type ScheduleOccurrence } from '../../contract/schedules/schedules.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { carriedIn } from '../../storage/reads/carried-spending.ts'
import { storedLimit } from '../../storage/stored-limit.ts'
import { missedTimes } from './calendar.ts'

/** What was quoted, with the digest of the tasks of each model. */
const Frozen = FrozenTerms.extend({ task_digest: z.string() })
export type Frozen = z.infer<typeof Frozen>

interface NewScheduleRow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly cron: string
  readonly timeZone: string
  readonly terms: RunGroupQuoteRequest
  readonly frozen: Frozen
  readonly maxMonthly: string
  readonly nextRunAt: string
  readonly ownerId: string
  readonly createdAt: string
}

export function insertSchedule(db: Database, row: NewScheduleRow): void {
  db.run(
    db.sql.insertInto('schedules').values({
      id: row.id,
      workspace_id: row.workspaceId,
      name: row.name,
      status: 'active',
      pause_reason: null,
      pause_message: null,
      cron: row.cron,
      time_zone: row.timeZone,
      terms: JSON.stringify(row.terms),
      frozen: JSON.stringify(row.frozen),
      max_monthly_microusd: storedLimit(row.maxMonthly),
      next_run_at: row.nextRunAt,
      owner_id: row.ownerId,
      created_at: row.createdAt,
    }),
  )
}

export type ScheduleRow = NonNullable<ReturnType<typeof findSchedule>>

export function findSchedule(db: Database, workspaceId: string, id: string) {
  return db.first(db.sql.selectFrom('schedules').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()))
}

export const termsOf = ({ terms }: Pick<ScheduleRow, 'terms'>): RunGroupQuoteRequest => RunGroupQuoteRequest.parse(JSON.parse(terms))
export const frozenOf = ({ frozen }: Pick<ScheduleRow, 'frozen'>): Frozen => Frozen.parse(JSON.parse(frozen))

/** Everything but the state, which only transitions write. */
export function changeSchedule(
  db: Database,
  no: number,
  change: Partial<Pick<ScheduleRow, 'name' | 'max_monthly_microusd' | 'next_run_at' | 'pause_reason' | 'pause_message'>>,
): void {
  db.run(db.sql.updateTable('schedules').set(change).where('no', '=', no))
}

/** Active schedules whose time has come, of every workspace. */
export function dueSchedules(db: Database, now: string): ScheduleRow[] {
  return db.all(
    db.sql
      .selectFrom('schedules')
      .selectAll()
      .where('next_run_at', '<=', now)
      .where('status', '=', 'active')
      .orderBy('next_run_at')
      .limit(100),
  )
}

/** Active ones whose time has not come. */
export function waitingSchedules(db: Database, now: string): ScheduleRow[] {
  return db.all(db.sql.selectFrom('schedules').selectAll().where('next_run_at', '>', now).where('status', '=', 'active'))
}

/** Those that are not archived. */
export function liveSchedules(db: Database, workspaceId: string): ScheduleRow[] {
  return db.all(db.sql.selectFrom('schedules').selectAll().where('workspace_id', '=', workspaceId).where('status', '!=', 'archived'))
}

export type OccurrenceRow = NonNullable<ReturnType<typeof openOccurrences>[number]>

export function insertOccurrence(
  db: Database,
  row: { readonly id: string; readonly scheduleNo: number; readonly dueAt: string; readonly createdAt: string },
): void {
  db.run(
    db.sql.insertInto('schedule_occurrences').values({
      id: row.id,
      schedule_no: row.scheduleNo,
      due_at: row.dueAt,
      status: 'due',
      reason: null,
      message: null,
      run_group_id: null,
      month: null,
      created_at: row.createdAt,
    }),
  )
}

/** Everything but the state, which only transitions write. */
export function changeOccurrence(
  db: Database,
  id: string,
  change: Partial<Pick<OccurrenceRow, 'reason' | 'message' | 'run_group_id' | 'month' | 'spent_microusd'>>,
): void {
  db.run(db.sql.updateTable('schedule_occurrences').set(change).where('id', '=', id))
}

/** Literally, as the index of occurrences that have not ended needs it. */
const open = [sql.lit<'due'>('due'), sql.lit<'started'>('started')]

/** Of every workspace, oldest first. */
export function openOccurrences(db: Database, status: 'due' | 'started') {
  return db.all(
    db.sql.selectFrom('schedule_occurrences').selectAll().where('status', 'in', open).where('status', '=', status).orderBy('no'),
  )
}

export function scheduleByNo(db: Database, no: number): ScheduleRow | undefined {
  return db.first(db.sql.selectFrom('schedules').selectAll().where('no', '=', no))
}

/** Whether an earlier occurrence has not ended. */
export function isRunning(db: Database, scheduleNo: number): boolean {
  const open = db.sql.selectFrom('schedule_occurrences').select('no').where('schedule_no', '=', scheduleNo).where('status', '=', 'started')
  return db.first(open.limit(1)) !== undefined
}

/** Micro-USD that occurrences of a calendar month have spent, or can still spend. */
export function spentIn(db: Database, { no, id }: Pick<ScheduleRow, 'no' | 'id'>, month: string): bigint {
  const spent = db.all(
    db.sql.selectFrom('schedule_occurrences').select('spent_microusd').where('schedule_no', '=', no).where('month', '=', month),
  )
  return spent.reduce((sum, row) => sum + BigInt(row.spent_microusd), carriedIn(db, id, month))
}

export function listSchedules(db: Database, workspaceId: string, page: PageQuery, now: string) {
  const select = db.sql.selectFrom('schedules').selectAll().where('workspace_id', '=', workspaceId)
  return newestFirst(db, select, 'no', { endpoint: 'listSchedules', filters: { workspaceId } }, page, row => toSchedule(db, row, now))
}

export function listOccurrences(db: Database, schedule: ScheduleRow, page: PageQuery) {
  const select = db.sql.selectFrom('schedule_occurrences').selectAll().where('schedule_no', '=', schedule.no)
  return newestFirst(db, select, 'no', { endpoint: 'listScheduleOccurrences', filters: { schedule: schedule.id } }, page, row =>
    toOccurrence(schedule, row),
  )
}

function toOccurrence({ id, cron, time_zone: timeZone }: ScheduleRow, row: OccurrenceRow): ScheduleOccurrence {
  return {
    id: row.id,
    schedule_id: id,
    due_at: row.due_at,
    missed_times: missedTimes(cron, timeZone, row.due_at, row.created_at),
    status: row.status,
    reason: row.reason,
    message: row.message,
    run_group_id: row.run_group_id,
    spent_microusd: String(row.spent_microusd),
    created_at: row.created_at,
  }
}

export const monthOf = (at: string): string => at.slice(0, 7)

export function toSchedule(db: Database, row: ScheduleRow, now: string): Schedule {
  const last = db.first(
    db.sql.selectFrom('schedule_occurrences').selectAll().where('schedule_no', '=', row.no).orderBy('no', 'desc').limit(1),
  )
  const { task_digest: _, ...frozen } = frozenOf(row)
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    pause_reason: row.pause_reason,
    pause_message: row.pause_message,
    cron: row.cron,
    time_zone: row.time_zone,
    terms: termsOf(row),
    frozen,
    next_run_at: row.next_run_at,
    max_monthly_microusd: String(row.max_monthly_microusd),
    spent_this_month_microusd: String(spentIn(db, row, monthOf(now))),
    last_occurrence: last ? toOccurrence(row, last) : null,
    created_at: row.created_at,
  }
}
