import { z } from 'zod'
import { SandboxRecord } from '../../contract/runs/results.schemas.ts'
import { workerMachine } from '../../contract/workers/worker.machine.ts'
import { type Worker, WorkerLabel, type WorkerReportBody } from '../../contract/workers/workers.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type PageQuery, toPage } from '../../storage/keyset.ts'
import type { WorkersTable } from '../../storage/schema/workers.ts'

export interface StoredWorker extends Omit<Worker, 'samples_per_minute' | 'busy' | 'shared_keys'> {
  readonly workspaceId: string
  readonly busy: number
  readonly sandboxes: readonly SandboxRecord[]
  readonly publicKey: string | null
  /** Id of the key or person that it joined with; null: it is older than that. */
  readonly joinedBy: string | null
}

type Row = { readonly [Column in keyof Omit<WorkersTable, 'status'>]: WorkersTable[Column] } & { readonly status: Worker['status'] }

const Labels = z.array(WorkerLabel)
const Sandboxes = z.array(SandboxRecord)

export function insertWorker(
  db: Database,
  { id, workspaceId, joinedBy }: Pick<StoredWorker, 'id' | 'workspaceId' | 'joinedBy'>,
  report: WorkerReportBody,
  now: string,
): void {
  db.run(
    db.sql.insertInto('workers').values({
      id,
      workspace_id: workspaceId,
      joined_by: joinedBy,
      ...columns(report),
      samples: 0,
      status: workerMachine.initial,
      joined_at: now,
      last_seen_at: now,
    }),
  )
}

export function updateWorker(db: Database, id: string, joinedBy: string, report: WorkerReportBody, now: string): void {
  db.run(
    db.sql
      .updateTable('workers')
      .set({ ...columns(report), joined_by: joinedBy, last_seen_at: now })
      .where('id', '=', id),
  )
}

export function addSamples(db: Database, id: string, samples: number): void {
  db.run(
    db.sql
      .updateTable('workers')
      .set(({ eb }) => ({ samples: eb('samples', '+', samples) }))
      .where('id', '=', id),
  )
}

/** In whatever workspace it is. */
export function findWorker(db: Database, id: string): StoredWorker | null {
  const row = db.first(db.sql.selectFrom('workers').selectAll().where('id', '=', id))
  return row ? toWorker(row) : null
}

/** Workers of all workspaces that are active or draining. */
export function presentWorkers(db: Database): StoredWorker[] {
  return db.all(db.sql.selectFrom('workers').selectAll().where('status', 'in', ['active', 'draining'])).map(toWorker)
}

export function listStoredWorkers(
  db: Database,
  workspaceId: string,
  { cursor, limit }: PageQuery,
): { items: StoredWorker[]; next_cursor: string | null } {
  const listing = { endpoint: 'workers', filters: { workspaceId } }
  let query = db.sql.selectFrom('workers').selectAll().where('workspace_id', '=', workspaceId)
  if (cursor !== undefined) {
    const [joined, id] = decodeCursor(listing, cursor, 2).map(String)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('joined_at', 'id'), '<', tuple(joined ?? '', id ?? '')))
  }
  const rows = db.all(
    query
      .orderBy('joined_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1),
  )
  return toPage(rows, limit, listing, row => [row.joined_at, row.id], toWorker)
}

/** Forgets workers that left or were lost before a time. */
export function deleteGoneWorkers(db: Database, before: string): void {
  db.run(db.sql.deleteFrom('workers').where('status', 'in', ['left', 'lost']).where('last_seen_at', '<', before))
}

/** Forgets workers of one key or person that are gone, but for the newest: first those that left, since lost ones may come back for their keys. */
export function forgetGoneOf(db: Database, joinedBy: string, keep: number): void {
  const gone = db.sql.selectFrom('workers').select('id').where('joined_by', '=', joinedBy).where('status', 'in', ['left', 'lost'])
  db.run(
    db.sql
      .deleteFrom('workers')
      .where('joined_by', '=', joinedBy)
      .where('status', 'in', ['left', 'lost'])
      .where('id', 'not in', gone.orderBy('status', 'desc').orderBy('last_seen_at', 'desc').limit(keep)),
  )
}

function columns({ name, labels, sandboxes, slots, busy, version, public_key }: WorkerReportBody) {
  return { name, labels: JSON.stringify(labels), sandboxes: JSON.stringify(sandboxes), slots, busy, version, public_key }
}

function toWorker({ workspace_id, labels, sandboxes, public_key, joined_by, ...row }: Row): StoredWorker {
  return {
    ...row,
    workspaceId: workspace_id,
    publicKey: public_key,
    joinedBy: joined_by,
    labels: Labels.parse(JSON.parse(labels)),
    sandboxes: Sandboxes.parse(JSON.parse(sandboxes)),
  }
}
