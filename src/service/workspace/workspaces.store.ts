import type { Selectable } from 'kysely'
import type { Workspace } from '../../contract/workspace/workspace.schemas.ts'
import type { Database } from '../../storage/database.ts'
import type { WorkspacesTable } from '../../storage/schema/workspace.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import type { WorkspaceMembership } from '../auth/index.ts'

export function insertWorkspace(db: Database, { demo, ...row }: Omit<Workspace, 'role'>): void {
  db.run(db.sql.insertInto('workspaces').values({ ...row, demo: demo ? 1 : 0 }))
}

export function setWorkspaceName(db: Database, id: string, name: string): void {
  db.run(db.sql.updateTable('workspaces').set({ name }).where('id', '=', id))
}

/** The workspaces of a principal, oldest first. */
export function listWorkspaces(
  db: Database,
  principalId: string,
  memberships: readonly WorkspaceMembership[],
  { cursor, limit }: PageQuery,
) {
  const listing: Listing = { endpoint: 'listWorkspaces', filters: { principalId } }
  const roles = new Map(memberships.map(({ id, role }) => [id, role]))
  let select = db.sql
    .selectFrom('workspaces')
    .selectAll()
    .where('id', 'in', [...roles.keys()])
    .orderBy('id')
    .limit(limit + 1)
  if (cursor) select = select.where('id', '>', String(decodeCursor(listing, cursor, 1)[0]))
  return toPage(
    db.all(select),
    limit,
    listing,
    row => [row.id],
    (row): Workspace => ({ ...toWorkspace(row), role: roles.get(row.id) ?? null }),
  )
}

export function findWorkspace(db: Database, id: string): Omit<Workspace, 'role'> | null {
  const row = db.first(db.sql.selectFrom('workspaces').selectAll().where('id', '=', id))
  return row ? toWorkspace(row) : null
}

function toWorkspace({ demo, ...row }: Selectable<WorkspacesTable>): Omit<Workspace, 'role'> {
  return { ...row, demo: demo === 1 }
}
