import { z } from 'zod'
import { NewWorldDraft, type WorldDraft } from '../../contract/worlds/drafts.schemas.ts'
import { DraftedWorld } from '../../contract/worlds/play.schemas.ts'
import type { Database } from '../../storage/database.ts'

const DraftedWorlds = z.array(DraftedWorld)

export interface DraftRow extends WorldDraft {
  readonly workspaceId: string
  /** Null once it was made. */
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

/** Drops what it was made of, which is no longer needed. */
export function storeDraftedWorlds(db: Database, id: string, worlds: readonly DraftedWorld[]): void {
  db.run(
    db.sql
      .updateTable('world_drafts')
      .set({ worlds: JSON.stringify(worlds), source: null })
      .where('id', '=', id),
  )
}
