import { z } from 'zod'
import { type Draft, Draft as DraftSchema, NewDraft } from '../../contract/evaluators/calibrations.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { spendingOf } from './judge-budgets.store.ts'

const Result = DraftSchema.pick({ majority: true, beats_majority: true, candidates: true, rejected: true })
export type DraftResult = z.infer<typeof Result>

export function insertDraft(
  db: Database,
  draft: {
    readonly id: string
    readonly workspaceId: string
    readonly jobId: string
    readonly request: NewDraft
    readonly total: number
    readonly createdAt: string
  },
): void {
  db.run(
    db.sql.insertInto('evaluator_drafts').values({
      id: draft.id,
      workspace_id: draft.workspaceId,
      job_id: draft.jobId,
      dataset_version_id: draft.request.dataset_version_id.toLowerCase(),
      status: 'queued',
      request: JSON.stringify(draft.request),
      total: draft.total,
      created_at: draft.createdAt,
    }),
  )
}

export type DraftRow = NonNullable<ReturnType<typeof findDraft>>

export function findDraft(db: Database, id: string) {
  return db.first(db.sql.selectFrom('evaluator_drafts').selectAll().where('id', '=', id.toLowerCase())) ?? null
}

export function toDraft(db: Database, row: DraftRow): Draft {
  const request = NewDraft.parse(JSON.parse(row.request))
  return {
    id: row.id,
    status: row.status,
    job_id: row.job_id,
    dataset_version_id: row.dataset_version_id,
    mode: request.mode,
    goal: request.goal ?? null,
    progress: { done: row.done, total: row.total },
    spending: spendingOf(db, { kind: 'draft', id: row.id }),
    failure: row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
    ...(row.result === null
      ? { majority: null, beats_majority: null, candidates: [], rejected: [] }
      : Result.parse(JSON.parse(row.result))),
    created_at: row.created_at,
    finished_at: row.finished_at,
  }
}

export function listDrafts(
  db: Database,
  workspaceId: string,
  { cursor, limit, dataset_version_id: versionId }: PageQuery & { dataset_version_id?: string | undefined },
) {
  let rows = db.sql.selectFrom('evaluator_drafts').selectAll().where('workspace_id', '=', workspaceId)
  if (versionId) rows = rows.where('dataset_version_id', '=', versionId.toLowerCase())
  return newestFirst(db, rows, 'no', { endpoint: 'listEvaluatorDrafts', filters: { workspaceId, versionId } }, { cursor, limit }, row =>
    toDraft(db, row),
  )
}

export function storeDraftProgress(db: Database, id: string, done: number, total: number): void {
  db.run(db.sql.updateTable('evaluator_drafts').set({ done, total }).where('id', '=', id))
}

export function storeDraftResult(db: Database, id: string, result: DraftResult, now: string): void {
  db.run(
    db.sql
      .updateTable('evaluator_drafts')
      .set({ result: JSON.stringify(Result.parse(result)), finished_at: now })
      .where('id', '=', id),
  )
}
