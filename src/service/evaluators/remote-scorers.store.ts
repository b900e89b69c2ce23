import { z } from 'zod'
import { type RemoteScorer, remoteScorerProtocol, RemoteScorerTest } from '../../contract/evaluators/remote-scorers.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import type { JudgeOwner } from './judge-budgets.store.ts'

const Names = z.array(z.string())

export interface StoredScorer {
  readonly record: RemoteScorer
  /** Encrypted. */
  readonly secret: Uint8Array
}

const select = (db: Database) => db.sql.selectFrom('remote_scorers').selectAll()
type Row = NonNullable<ReturnType<typeof firstRow>>
const firstRow = (db: Database) => db.first(select(db))

function toStored(row: Row): StoredScorer {
  return {
    secret: row.secret,
    record: {
      id: row.id,
      name: row.name,
      url: row.url,
      description: row.description,
      status: row.status,
      disabled_reason: row.disabled_reason,
      timeout_ms: row.timeout_ms,
      max_concurrency: row.max_concurrency,
      header_names: Names.parse(JSON.parse(row.header_names)),
      allow_private: row.allow_private === 1,
      old_secret_until: row.old_secret_until,
      last_test: row.last_test === null ? null : RemoteScorerTest.parse(JSON.parse(row.last_test)),
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  }
}

export function insertScorer(db: Database, workspaceId: string, { record, secret }: StoredScorer): void {
  db.run(
    db.sql.insertInto('remote_scorers').values({
      ...valuesOf(record),
      id: record.id,
      workspace_id: workspaceId,
      status: record.status,
      secret,
      created_at: record.created_at,
    }),
  )
}

export function updateScorer(db: Database, { record, secret }: StoredScorer): void {
  db.run(
    db.sql
      .updateTable('remote_scorers')
      .set({ ...valuesOf(record), secret })
      .where('id', '=', record.id),
  )
}

/** Everything but the state, which only transitions write. */
function valuesOf(record: RemoteScorer) {
  return {
    name: record.name,
    url: record.url,
    description: record.description,
    disabled_reason: record.disabled_reason,
    timeout_ms: record.timeout_ms,
    max_concurrency: record.max_concurrency,
    header_names: JSON.stringify(record.header_names),
    allow_private: record.allow_private ? (1 as const) : (0 as const),
    old_secret_until: record.old_secret_until,
    last_test: record.last_test === null ? null : JSON.stringify(record.last_test),
    updated_at: record.updated_at,
  }
}

export function setDisabledReason(db: Database, id: string, reason: string | null, now: string): void {
  db.run(db.sql.updateTable('remote_scorers').set({ disabled_reason: reason, updated_at: now }).where('id', '=', id))
}

export function findScorer(db: Database, workspaceId: string, id: string): StoredScorer | null {
  const row = db.first(select(db).where('id', '=', id.toLowerCase()).where('workspace_id', '=', workspaceId))
  return row ? toStored(row) : null
}

export function listScorers(db: Database, workspaceId: string, { cursor, limit }: PageQuery) {
  const rows = select(db).where('workspace_id', '=', workspaceId)
  return newestFirst(
    db,
    rows,
    'id',
    { endpoint: 'listRemoteScorers', filters: { workspaceId } },
    { cursor, limit },
    row => toStored(row).record,
  )
}

export interface RemoteCall {
  readonly owner: JudgeOwner
  readonly item: string
  readonly scorerId: string
  readonly requestId: string
  readonly tries: number
  readonly httpStatus: number | null
  /** Why there is no score; null where there is one. */
  readonly code: string | null
  readonly reason: string | null
  readonly value: number | null
  readonly startedAt: number
  readonly finishedAt: number
}

export function insertRemoteCall(db: Database, call: RemoteCall): void {
  db.run(
    db.sql.insertInto('remote_calls').values({
      owner_kind: call.owner.kind,
      owner_id: call.owner.id,
      item: call.item,
      remote_scorer_id: call.scorerId,
      request_id: call.requestId,
      revision: remoteScorerProtocol.revision,
      tries: call.tries,
      http_status: call.httpStatus,
      code: call.code,
      reason: call.reason,
      value: call.value,
      started_at: call.startedAt,
      finished_at: call.finishedAt,
    }),
  )
}
