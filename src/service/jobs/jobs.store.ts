import { sql } from 'kysely'
import { jobMachine } from '../../contract/jobs/job.machine.ts'
import { type Job, JobKind, JobOwner, JobProgress } from '../../contract/jobs/jobs.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type PageQuery, toPage } from '../../storage/keyset.ts'
import { transition } from '../../storage/transition.ts'
import type { NewJob } from './job-handler.ts'

export interface StoredJob extends Omit<Job, 'retryable' | 'pause' | 'quiet_since' | 'evaluator_version_id'> {
  /** Parse it with the handler's schema. */
  readonly input: unknown
  readonly checkpoint: unknown
  readonly fence: number
  /** Times in a row that the service ended while it was running without having got further. */
  readonly interruptions: number
  /** What its handler counted as stored at the last of them. */
  readonly stored: number
}

/** The oldest waiting job of a workspace. */
export interface Waiting {
  readonly id: string
  readonly workspaceId: string | null
}

export interface JobsQuery extends PageQuery {
  readonly kind?: JobKind | undefined
  readonly state?: Job['state'] | undefined
  /** Of the record that a job works on. */
  readonly subject_id?: string | undefined
}

const at = { table: 'jobs', column: 'state' } as const
/** Literally, as the index of jobs that have not ended needs it: the ended ones grow with each year of use. */
const queued = sql.lit<'queued'>('queued')
const running = sql.lit<'running'>('running')
const open = [queued, running]

export function insertJob(db: Database, id: string, kind: JobKind, { workspaceId, owner, input, subject }: NewJob, now: string): void {
  db.run(
    db.sql.insertInto('jobs').values({
      id,
      workspace_id: workspaceId,
      kind,
      state: jobMachine.initial,
      input: JSON.stringify(input),
      subject_type: subject?.type ?? null,
      subject_id: subject?.id ?? null,
      owner_kind: owner.kind,
      owner_id: owner.kind === 'service' ? null : owner.id,
      progress: null,
      checkpoint: null,
      fence: 0,
      attempt: 0,
      interruptions: 0,
      stored: 0,
      furthest: 0,
      error_code: null,
      error_message: null,
      created_at: now,
      started_at: null,
      finished_at: null,
    }),
  )
}

export function findJob(db: Database, id: string): StoredJob | null {
  const row = db.first(db.sql.selectFrom('jobs').selectAll().where('id', '=', id))
  return row ? toJob(row) : null
}

export function listJobs(
  db: Database,
  workspaceId: string,
  { cursor, limit, kind, state, subject_id }: JobsQuery,
): { items: StoredJob[]; next_cursor: string | null } {
  const listing = { endpoint: 'jobs', filters: { workspaceId, kind, state, subject_id } }
  const after = cursor === undefined ? null : String(decodeCursor(listing, cursor, 1)[0])
  const isOpen = state === 'queued' || state === 'running'
  // Each by itself, since one condition for both would sort the whole history.
  const rows = [workspaceId, null].flatMap(owner => {
    // The sign leaves the index of what has not ended as the only one.
    let query = db.sql
      .selectFrom('jobs')
      .selectAll()
      .where(isOpen ? sql`+workspace_id` : 'workspace_id', 'is', owner)
    if (kind !== undefined) query = query.where(isOpen ? sql`+kind` : 'kind', '=', kind)
    if (isOpen) query = query.where('state', 'in', open)
    if (state !== undefined) query = query.where('state', '=', state)
    if (subject_id !== undefined) query = query.where('subject_id', '=', subject_id.toLowerCase())
    if (after !== null) query = query.where('id', '<', after)
    return db.all(query.orderBy('id', 'desc').limit(limit + 1))
  })
  rows.sort((a, b) => (a.id < b.id ? 1 : -1)).splice(limit + 1)
  return toPage(rows, limit, listing, row => [row.id], toJob)
}

/** The newest job of the kinds that works on a record. */
export function latestJobOf(db: Database, { type, id }: NonNullable<Job['subject']>, kinds: readonly JobKind[]): StoredJob | null {
  const jobs = db.sql.selectFrom('jobs').selectAll().where('subject_type', '=', type).where('subject_id', '=', id)
  const row = db.first(
    jobs
      .where('kind', 'in', [...kinds])
      .orderBy('id', 'desc')
      .limit(1),
  )
  return row ? toJob(row) : null
}

/** Jobs of a kind that have not ended, oldest first. The sign keeps SQLite from reading the kind's history. */
export function openJobs(db: Database, kind: JobKind): StoredJob[] {
  return db.all(db.sql.selectFrom('jobs').selectAll().where('state', 'in', open).where(sql`+kind`, '=', kind).orderBy('id')).map(toJob)
}

/** Those that a restore brought back to life, which marks them so. */
export function restoredJobs(db: Database): StoredJob[] {
  return db
    .all(db.sql.selectFrom('jobs').selectAll().where('state', 'in', open).where('error_code', '=', 'restored').orderBy('id'))
    .map(toJob)
}

/** The newest job of a kind. */
export function latestJobOfKind(db: Database, kind: JobKind): StoredJob | null {
  const row = db.first(db.sql.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id', 'desc').limit(1))
  return row ? toJob(row) : null
}

/**
 * The oldest waiting job of each workspace among the kinds.
 * @param withSuspects whether those may be started that were running when the service died and have got no further since
 */
export function waitingJobs(db: Database, kinds: readonly JobKind[], except: readonly string[], withSuspects: boolean): Waiting[] {
  return db.all(
    db.sql
      .selectFrom('jobs')
      .select(({ fn }) => [fn.min('id').as('id'), 'workspace_id as workspaceId'])
      .where('state', 'in', open)
      .where('state', '=', queued)
      .where('kind', 'in', [...kinds])
      .where('id', 'not in', [...except])
      .where('interruptions', '<=', withSuspects ? Number.MAX_SAFE_INTEGER : 0)
      .groupBy('workspace_id'),
  )
}

export function runningJobs(db: Database): StoredJob[] {
  return db.all(db.sql.selectFrom('jobs').selectAll().where('state', 'in', open).where('state', '=', running).orderBy('id')).map(toJob)
}

/** The job is the caller's from now on; the fence proves it. */
export function claimJob(db: Database, id: string, now: string): void {
  db.transaction(() => {
    transition(db, jobMachine, at, id, 'claim', now)
    db.run(
      db.sql
        .updateTable('jobs')
        .set(row => ({
          fence: row('fence', '+', 1),
          attempt: row('attempt', '+', 1),
          started_at: row.fn.coalesce('started_at', row.val(now)),
        }))
        .where('id', '=', id),
    )
  })
}

/** How often the service died while a job was running, in a row without its having got further; what is stored of it tells. */
export interface Interruption {
  readonly interruptions: number
  readonly stored: number
}

/** Back into the queue, for the next start. @param interruption null: it was stopped in order */
export function requeueJob(db: Database, id: string, interruption: Interruption | null, now: string): void {
  db.transaction(() => {
    transition(db, jobMachine, at, id, 'requeue', now)
    db.run(
      db.sql
        .updateTable('jobs')
        .set(row => ({
          fence: row('fence', '+', 1),
          attempt: row('attempt', '-', interruption ? 0 : 1),
          ...interruption,
        }))
        .where('id', '=', id),
    )
  })
}

export function finishJob(
  db: Database,
  id: string,
  event: 'succeed' | 'fail' | 'cancel',
  error: { readonly code: string; readonly message: string } | null,
  now: string,
): void {
  db.transaction(() => {
    transition(db, jobMachine, at, id, event, now, error?.message ?? null)
    db.run(
      db.sql
        .updateTable('jobs')
        .set(row => ({
          fence: row('fence', '+', 1),
          error_code: error?.code ?? null,
          error_message: error?.message ?? null,
          finished_at: now,
        }))
        .where('id', '=', id),
    )
  })
}

/** In a database that takes the place of another: what was under way on the machine when it was copied is over. */
export function endMachineJobs(db: Database, now: string): void {
  // Backups of before there were jobs have no such table.
  if (!db.prepare(`select 1 from sqlite_master where type = 'table' and name = 'jobs'`).get()) return
  const query = db.sql.selectFrom('jobs').select('id').where('workspace_id', 'is', null).where('state', 'in', open)
  const error = { code: 'cancelled', message: 'The job was under way when the backup was made that has been restored.' }
  for (const { id } of db.all(query)) finishJob(db, id, 'cancel', error, now)
}

export function retryJob(db: Database, id: string, now: string): void {
  db.transaction(() => {
    transition(db, jobMachine, at, id, 'retry', now)
    db.run(
      db.sql
        .updateTable('jobs')
        .set(row => ({
          fence: row('fence', '+', 1),
          attempt: 0,
          interruptions: 0,
          stored: 0,
          furthest: 0,
          progress: null,
          error_code: null,
          error_message: null,
          started_at: null,
          finished_at: null,
        }))
        .where('id', '=', id),
    )
  })
}

/** The fence, while the job runs; null once it does not. */
export function currentFence(db: Database, id: string): number | null {
  return db.first(db.sql.selectFrom('jobs').select('fence').where('id', '=', id).where('state', '=', 'running'))?.fence ?? null
}

/** A job that is further than ever before is not what ended the service until now. */
export function storeProgress(db: Database, id: string, progress: JobProgress): void {
  db.prepare(
    `update jobs set progress = @progress, furthest = max(furthest, @done), interruptions = iif(@done > furthest, 0, interruptions)
     where id = @id`,
  ).run({ id, done: progress.done, progress: JSON.stringify(progress) })
}

/** The same counts for a checkpoint that is another than the last. */
export function storeCheckpoint(db: Database, id: string, checkpoint: unknown): void {
  db.prepare(
    `update jobs set checkpoint = @checkpoint, interruptions = iif(checkpoint is @checkpoint, interruptions, 0) where id = @id`,
  ).run({ id, checkpoint: JSON.stringify(checkpoint) })
}

interface Row {
  readonly id: string
  readonly workspace_id: string | null
  readonly kind: string
  readonly state: Job['state']
  readonly input: string
  readonly subject_type: string | null
  readonly subject_id: string | null
  readonly owner_kind: string
  readonly owner_id: string | null
  readonly progress: string | null
  readonly checkpoint: string | null
  readonly fence: number
  readonly attempt: number
  readonly interruptions: number
  readonly stored: number
  readonly error_code: string | null
  readonly error_message: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

function toJob(row: Row): StoredJob {
  const { id, workspace_id, state, fence, attempt, interruptions, stored, created_at, started_at, finished_at } = row
  return {
    id,
    kind: JobKind.parse(row.kind),
    state,
    workspace_id,
    subject: row.subject_type === null || row.subject_id === null ? null : { type: row.subject_type, id: row.subject_id },
    owner: JobOwner.parse(row.owner_id === null ? { kind: row.owner_kind } : { kind: row.owner_kind, id: row.owner_id }),
    progress: row.progress === null ? null : JobProgress.parse(JSON.parse(row.progress)),
    attempt,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    created_at,
    started_at,
    finished_at,
    input: JSON.parse(row.input),
    checkpoint: row.checkpoint === null ? null : JSON.parse(row.checkpoint),
    fence,
    interruptions,
    stored,
  }
}
