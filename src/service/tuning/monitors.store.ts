import { sql } from 'kysely'
import { z } from 'zod'
import { NewTuneMonitor, TuneMonitor, type TuneMonitorTarget } from '../../contract/tuning/monitors.schemas.ts'
import { type DriftState, newDriftState } from '../../engine/statistics/drift-detector.ts'
import type { Database } from '../../storage/database.ts'
import { carriedIn } from '../../storage/reads/carried-spending.ts'
import { type Filing, isFiled } from '../../storage/reads/filed-items.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { monthOf } from './next-schedule.ts'

const Drift = z.object({ fall: z.array(z.number()), rise: z.array(z.number()) })
const { target: Target, baseline: Baseline } = TuneMonitor.shape

export interface NewMonitorRow {
  readonly id: string
  readonly workspaceId: string
  readonly request: NewTuneMonitor
  readonly profileId: string
  readonly target: TuneMonitorTarget
  readonly baseline: TuneMonitor['baseline']
  readonly evaluatorVersionId: string | null
  readonly nextRunAt: string | null
  readonly owner: { readonly kind: 'person' | 'api_key'; readonly id: string }
  readonly createdAt: string
}

export function insertMonitor(db: Database, row: NewMonitorRow): void {
  db.run(
    db.sql.insertInto('tune_monitors').values({
      id: row.id,
      workspace_id: row.workspaceId,
      name: row.request.name,
      status: 'active',
      request: JSON.stringify(row.request),
      session_id: row.request.session_id?.toLowerCase() ?? null,
      profile_id: row.profileId,
      target: JSON.stringify(row.target),
      baseline: JSON.stringify(row.baseline),
      schedule: row.request.schedule ?? null,
      next_run_at: row.nextRunAt,
      evaluator_version_id: row.evaluatorVersionId,
      owner_kind: row.owner.kind,
      owner_id: row.owner.id,
      detector: JSON.stringify(newDriftState()),
      last_verdict: null,
      created_at: row.createdAt,
    }),
  )
}

export type MonitorRow = NonNullable<ReturnType<typeof findMonitor>>

export function findMonitor(db: Database, workspaceId: string, id: string) {
  return db.first(db.sql.selectFrom('tune_monitors').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()))
}

/** A monitor that is not archived and compares with a run. */
export function monitorOn(db: Database, workspaceId: string, runId: string) {
  const live = db.sql.selectFrom('tune_monitors').select('name').where('workspace_id', '=', workspaceId).where('status', '!=', 'archived')
  return db.first(live.where(sql<string>`baseline ->> 'run_id'`, '=', runId).limit(1))
}

export function findMonitorByNo(db: Database, no: number): MonitorRow | undefined {
  return db.first(db.sql.selectFrom('tune_monitors').selectAll().where('no', '=', no))
}

export const requestOf = (row: Pick<MonitorRow, 'request'>): NewTuneMonitor => NewTuneMonitor.parse(JSON.parse(row.request))
export const targetOf = (row: Pick<MonitorRow, 'target'>): TuneMonitorTarget => Target.parse(JSON.parse(row.target))
export const baselineOf = (row: Pick<MonitorRow, 'baseline'>): TuneMonitor['baseline'] => Baseline.parse(JSON.parse(row.baseline))
export const driftOf = (row: Pick<MonitorRow, 'detector'>): DriftState => Drift.parse(JSON.parse(row.detector))

export type MonitorsQuery = PageQuery & Pick<Filing, 'folder'>

export function listMonitors(db: Database, workspaceId: string, { folder, ...page }: MonitorsQuery, now: string) {
  const select = db.sql
    .selectFrom('tune_monitors')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(isFiled('monitor', 'tune_monitors.id', workspaceId, { folder }))
  return newestFirst(db, select, 'no', { endpoint: 'listTuneMonitors', filters: { workspaceId, folder } }, page, row =>
    toMonitor(db, row, now),
  )
}

export function toMonitor(db: Database, row: MonitorRow, now: string): TuneMonitor {
  const { margin, confidence, stream, max_charge_microusd, max_provider_billed_microusd, max_monthly_microusd } = requestOf(row)
  const last = db.first(
    db.sql
      .selectFrom('tune_occurrences')
      .select(['id', 'status', 'created_at'])
      .where('monitor_no', '=', row.no)
      .orderBy('no', 'desc')
      .limit(1),
  )
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    session_id: row.session_id,
    profile_id: row.profile_id,
    target: targetOf(row),
    baseline: baselineOf(row),
    margin,
    confidence,
    schedule: row.schedule,
    next_run_at: row.next_run_at,
    evaluator_version_id: row.evaluator_version_id,
    stream,
    max_charge_microusd,
    max_provider_billed_microusd: max_provider_billed_microusd ?? null,
    max_monthly_microusd,
    spent_this_month_microusd: String(spentIn(db, row, monthOf(now))),
    outputs_seen: row.outputs_seen,
    last_verdict: row.last_verdict,
    last_occurrence: last ? { id: last.id, status: last.status, at: last.created_at } : null,
    created_at: row.created_at,
  }
}

const Sum = z.object({ sum: z.int() })

/** Micro-USD of a calendar month: what the wallet and providers were paid, and what running occurrences set aside. */
export function spentIn(db: Database, { no, id }: Pick<MonitorRow, 'no' | 'id'>, month: string): bigint {
  const row = db
    .prepare(
      `select coalesce(sum(case when status = 'running' then held_microusd else spent_microusd + billed_microusd end), 0) as sum
       from tune_occurrences where monitor_no = ? and month = ?`,
    )
    .get(no, month)
  return BigInt(Sum.parse(row).sum) + carriedIn(db, id, month)
}

export function setNextRun(db: Database, no: number, at: string | null): void {
  db.run(db.sql.updateTable('tune_monitors').set({ next_run_at: at }).where('no', '=', no))
}

/** Active monitors whose schedule has come, of every workspace. */
export function dueMonitors(db: Database, now: string): MonitorRow[] {
  return db.all(
    db.sql
      .selectFrom('tune_monitors')
      .selectAll()
      .where('next_run_at', '<=', now)
      .where('status', '=', 'active')
      .orderBy('next_run_at')
      .limit(100),
  )
}

/** Active ones whose time has not come. */
export function waitingMonitors(db: Database, now: string): MonitorRow[] {
  return db.all(db.sql.selectFrom('tune_monitors').selectAll().where('next_run_at', '>', now).where('status', '=', 'active'))
}

/** Those that are not archived. */
export function liveMonitors(db: Database, workspaceId: string): MonitorRow[] {
  return db.all(db.sql.selectFrom('tune_monitors').selectAll().where('workspace_id', '=', workspaceId).where('status', '!=', 'archived'))
}

/** That of the newest check, whichever ended last. */
export function renewLastVerdict(db: Database, no: number): void {
  db.prepare(
    `update tune_monitors set last_verdict = (select verdict from tune_occurrences
     where monitor_no = tune_monitors.no and verdict is not null order by no desc limit 1) where no = ?`,
  ).run(no)
}

export function storeDrift(db: Database, no: number, state: DriftState, outputsSeen: number): void {
  db.run(
    db.sql
      .updateTable('tune_monitors')
      .set({ detector: JSON.stringify(state), outputs_seen: outputsSeen })
      .where('no', '=', no),
  )
}
