import { z } from 'zod'
import { NewWorldDraft, type WorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import type { Database } from '../../storage/database.ts'

const DraftedWorlds = z.array(DraftedWorld)

export interface DraftRow extends WorldDraft {
  readonly workspaceId: string
  /** Null once it was made of files. */
  readonly source: NewWorldDraft | null
}

export function insertWorldDraft(db: Database, { workspaceId, source, worlds: _, ...row }: DraftRow): void {
  db.run(db.sql.insertInto('world_drafts').values({ ...row, workspace_id: workspaceId, source: JSON.stringify(source), worlds: null }))
}

export function findWorldDraft(db: Database, id: string): DraftRow | null {
  const row = db.first(db.sql.selectFrom('world_drafts').selectAll().where('id', '=', id.toLowerCase()))
  if (!row) return null
  const { workspace_id: workspaceId, source, worlds, ...rest } = row
  return {
    ...rest,
    workspaceId,
    source: source === null ? null : NewWorldDraft.parse(JSON.parse(source)),
    worlds: worlds === null ? null : DraftedWorlds.parse(JSON.parse(worlds)),
  }
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

/** Drafts of a workspace that were begun before `at`. */
export function dropWorldDrafts(db: Database, workspaceId: string, at: string): void {
  db.run(db.sql.deleteFrom('world_drafts').where('workspace_id', '=', workspaceId).where('created_at', '<', at))
}
