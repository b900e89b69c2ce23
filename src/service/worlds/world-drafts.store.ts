import { sql } from 'kysely'
import { z } from 'zod'
import type { NewWorldDraft, WorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import type { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import type { Database } from '../../storage/database.ts'

// Both were checked before they were stored, and megabytes of them would hold the service each time that they are read.
const Source = z.custom<NewWorldDraft>(value => typeof value === 'object' && value !== null)
const Worlds = z.custom<DraftedWorld[]>(value => Array.isArray(value))

export interface DraftRow extends WorldDraft {
  readonly workspaceId: string
  readonly isOfTraces: boolean
}

export function insertWorldDraft(
  db: Database,
  { id, job_id, title, created_at, workspaceId }: Omit<DraftRow, 'isOfTraces' | 'worlds'>,
  source: NewWorldDraft,
): void {
  const row = {
    id,
    job_id,
    title,
    created_at,
    workspace_id: workspaceId,
    // First, so that `findWorldDraft` sees what it is made of without reading megabytes of files.
    source: JSON.stringify({ trace_ids: source.trace_ids, ...source }),
  }
  db.run(db.sql.insertInto('world_drafts').values({ ...row, worlds: null }))
}

/** What a draft is made of; null once it was made of files. */
export function sourceOfDraft(db: Database, id: string): NewWorldDraft | null {
  const row = db.first(db.sql.selectFrom('world_drafts').select('source').where('id', '=', id))
  return row?.source ? Source.parse(JSON.parse(row.source)) : null
}

export function findWorldDraft(db: Database, id: string): DraftRow | null {
  const row = db.first(
    db.sql
      .selectFrom('world_drafts')
      .select(['id', 'workspace_id', 'job_id', 'title', 'worlds', 'created_at'])
      .select(sql<number>`coalesce(substr(source, 1, 13) = '{"trace_ids":', 0)`.as('is_of_traces'))
      .where('id', '=', id.toLowerCase()),
  )
  if (!row) return null
  const { workspace_id: workspaceId, is_of_traces: isOfTraces, worlds, ...rest } = row
  return { ...rest, workspaceId, isOfTraces: isOfTraces === 1, worlds: worlds === null ? null : Worlds.parse(JSON.parse(worlds)) }
}

/** Drops the files that it was made of, which are no longer needed. */
export function storeDraftedWorlds(
  db: Database,
  id: string,
  { trace_ids: traceIds }: NewWorldDraft,
  worlds: readonly DraftedWorld[],
): void {
  db.run(
    db.sql
      .updateTable('world_drafts')
      .set({ worlds: JSON.stringify(worlds), source: traceIds ? JSON.stringify({ trace_ids: traceIds }) : null })
      .where('id', '=', id),
  )
}

/** Drafts of a workspace that were begun before `at`, and all but the newest of the others. */
export function dropWorldDrafts(db: Database, workspaceId: string, at: string, newest: number): void {
  const own = db.sql.selectFrom('world_drafts').select('id').where('workspace_id', '=', workspaceId)
  const kept = own.where('created_at', '>=', at).orderBy('id', 'desc').limit(newest)
  db.run(db.sql.deleteFrom('world_drafts').where('workspace_id', '=', workspaceId).where('id', 'not in', kept))
}
