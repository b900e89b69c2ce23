import type { Installation } from '../../contract/installation/installation.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** Null only before the first start has made an owner. */
export function findInstallation(db: Database) {
  return (
    db.first(
      db.sql
        .selectFrom('installation')
        .innerJoin('people', 'people.id', 'installation.owner_id')
        .select(['owner_id', 'people.name as owner_name', 'workspace_creation']),
    ) ?? null
  )
}

export function insertInstallation(db: Database, ownerId: string): void {
  db.run(db.sql.insertInto('installation').values({ id: 1, owner_id: ownerId }))
}

export function setWorkspaceCreation(db: Database, creation: Installation['workspace_creation']): void {
  db.run(db.sql.updateTable('installation').set({ workspace_creation: creation }).where('id', '=', 1))
}

export function findPerson(db: Database, id: string): { readonly id: string } | null {
  return db.first(db.sql.selectFrom('people').select('id').where('id', '=', id.toLowerCase())) ?? null
}
