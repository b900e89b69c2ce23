import { z } from 'zod'
import { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { ArmReason, TuneArm, TuneConclusion, type TuneGroup, TuneLook } from '../../contract/tuning/race.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** An arm's figures as of its last look. */
const Figures = TuneArm.pick({
  n: true,
  missing: true,
  quality: true,
  difference: true,
  cost_per_case_microusd: true,
  cost_difference_microusd: true,
  latency: true,
})
export type StoredFigures = z.infer<typeof Figures>

export type StoredTuneQuote = Omit<Extract<TuneQuote, { kind: 'model' }>, 'status'> | Omit<Extract<TuneQuote, { kind: 'agent' }>, 'status'>

export function insertTuneQuote(db: Database, sessionNo: number, quote: StoredTuneQuote): void {
  db.run(
    db.sql
      .insertInto('tune_quotes')
      .values({ id: quote.id, session_no: sessionNo, record: JSON.stringify(quote), used: 0, created_at: quote.created_at }),
  )
}

const StoredQuote = z.looseObject({ expires_at: z.string() })

export function findTuneQuote(db: Database, sessionNo: number, id: string, now: string): TuneQuote | null {
  const row = db.first(
    db.sql.selectFrom('tune_quotes').select(['record', 'used']).where('session_no', '=', sessionNo).where('id', '=', id.toLowerCase()),
  )
  if (!row) return null
  const record = StoredQuote.parse(JSON.parse(row.record))
  return TuneQuote.parse({ ...record, status: row.used === 1 ? 'used' : now < record.expires_at ? 'open' : 'expired' })
}

/** Id of the newest quote. */
export function latestTuneQuote(db: Database, sessionNo: number): string | null {
  return (
    db.first(db.sql.selectFrom('tune_quotes').select('id').where('session_no', '=', sessionNo).orderBy('id', 'desc').limit(1))?.id ?? null
  )
}

export interface NewGroupRow {
  readonly id: string
  readonly sessionNo: number
  readonly number: number
  readonly quoteId: string
  readonly operationKey: string
  readonly jobId: string
  readonly startedAt: string
  readonly arms: readonly { readonly label: string; readonly runId: string }[]
}

/** In the caller's transaction. */
export function insertGroup(db: Database, row: NewGroupRow): void {
  const { lastInsertRowid: no } = db.run(
    db.sql.insertInto('tune_groups').values({
      id: row.id,
      session_no: row.sessionNo,
      number: row.number,
      quote_id: row.quoteId,
      operation_key: row.operationKey,
      status: 'running',
      look: 0,
      job_id: row.jobId,
      conclusion: null,
      started_at: row.startedAt,
      finished_at: null,
    }),
  )
  for (const [arm, { label, runId }] of row.arms.entries())
    db.run(
      db.sql
        .insertInto('tune_arms')
        .values({ group_no: no, arm, label, run_id: runId, verdict: null, reason: null, looks: '[]', figures: null }),
    )
  db.run(db.sql.updateTable('tune_quotes').set({ used: 1 }).where('id', '=', row.quoteId))
}

export interface GroupArm {
  /** 0 is the current call. */
  readonly arm: number
  readonly label: string
  readonly runId: string
  readonly verdict: 'accepted' | 'dropped' | 'undecided' | null
  readonly reason: ArmReason | null
  readonly looks: readonly TuneLook[]
  readonly figures: StoredFigures | null
}

export interface GroupRow {
  readonly no: number
  readonly id: string
  readonly sessionNo: number
  readonly number: number
  readonly quoteId: string
  readonly operationKey: string
  readonly status: TuneGroup['status']
  /** Index of the look that is being run. */
  readonly look: number
  readonly jobId: string
  readonly conclusion: TuneConclusion | null
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly arms: readonly GroupArm[]
}

const Looks = z.array(TuneLook)

function toGroup(db: Database, row: NonNullable<ReturnType<typeof firstGroup>>): GroupRow {
  const arms = db.all(db.sql.selectFrom('tune_arms').selectAll().where('group_no', '=', row.no).orderBy('arm'))
  return {
    no: row.no,
    id: row.id,
    sessionNo: row.session_no,
    number: row.number,
    quoteId: row.quote_id,
    operationKey: row.operation_key,
    status: row.status,
    look: row.look,
    jobId: row.job_id,
    conclusion: row.conclusion === null ? null : TuneConclusion.parse(JSON.parse(row.conclusion)),
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    arms: arms.map(arm => ({
      arm: arm.arm,
      label: arm.label,
      runId: arm.run_id,
      verdict: arm.verdict,
      reason: arm.reason === null ? null : ArmReason.parse(arm.reason),
      looks: Looks.parse(JSON.parse(arm.looks)),
      figures: arm.figures === null ? null : Figures.parse(JSON.parse(arm.figures)),
    })),
  }
}

const firstGroup = (db: Database) => db.first(db.sql.selectFrom('tune_groups').selectAll())

/** Oldest first. */
export function groupsOf(db: Database, sessionNo: number): GroupRow[] {
  return db
    .all(db.sql.selectFrom('tune_groups').selectAll().where('session_no', '=', sessionNo).orderBy('number'))
    .map(row => toGroup(db, row))
}

export function findGroup(db: Database, id: string): GroupRow | null {
  const row = db.first(db.sql.selectFrom('tune_groups').selectAll().where('id', '=', id.toLowerCase()))
  return row ? toGroup(db, row) : null
}

/** What one step of a race changes of an arm. */
export interface ArmChange {
  readonly arm: number
  readonly verdict: GroupArm['verdict']
  readonly reason: ArmReason | null
  readonly looks: readonly TuneLook[]
}

export function storeArm(db: Database, groupNo: number, { arm, verdict, reason, looks }: ArmChange): void {
  db.run(
    db.sql
      .updateTable('tune_arms')
      .set({ verdict, reason, looks: JSON.stringify(looks) })
      .where('group_no', '=', groupNo)
      .where('arm', '=', arm),
  )
}

export function storeFigures(db: Database, groupNo: number, arm: number, figures: StoredFigures): void {
  db.run(
    db.sql
      .updateTable('tune_arms')
      .set({ figures: JSON.stringify(figures) })
      .where('group_no', '=', groupNo)
      .where('arm', '=', arm),
  )
}

export function storeLook(db: Database, groupNo: number, look: number): void {
  db.run(db.sql.updateTable('tune_groups').set({ look }).where('no', '=', groupNo))
}

export function endGroup(
  db: Database,
  { no, sessionNo }: GroupRow,
  status: TuneGroup['status'],
  conclusion: TuneConclusion | null,
  at: string,
): void {
  const record = conclusion && JSON.stringify(conclusion)
  db.run(db.sql.updateTable('tune_groups').set({ status, conclusion: record, finished_at: at }).where('no', '=', no))
  db.run(
    db.sql
      .updateTable('tune_sessions')
      .set({ updated_at: at, ...(record && { conclusion: record }) })
      .where('no', '=', sessionNo),
  )
}
