import { FoundRuntime } from '../../contract/connections/presets.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** What is there now takes the place of what was there before. */
export function storeFoundRuntimes(db: Database, workspaceId: string, runtimes: readonly FoundRuntime[], now: string): void {
  db.transaction(() => {
    db.run(db.sql.deleteFrom('found_runtimes').where('workspace_id', '=', workspaceId))
    for (const runtime of runtimes)
      db.run(
        db.sql
          .insertInto('found_runtimes')
          .values({ workspace_id: workspaceId, base_url: runtime.base_url, runtime: JSON.stringify(runtime), found_at: now }),
      )
  })
}

export function foundRuntimes(db: Database, workspaceId: string): { readonly runtime: FoundRuntime; readonly foundAt: string }[] {
  const rows = db.all(
    db.sql.selectFrom('found_runtimes').select(['runtime', 'found_at']).where('workspace_id', '=', workspaceId).orderBy('base_url'),
  )
  return rows.map(row => ({ runtime: FoundRuntime.parse(JSON.parse(row.runtime)), foundAt: row.found_at }))
}
