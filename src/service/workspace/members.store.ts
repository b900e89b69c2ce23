import type { Member } from '../../contract/workspace/workspace.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'

type Role = Member['role']

const selectMembers = (db: Database, workspaceId: string) =>
  db.sql
    .selectFrom('members')
    .innerJoin('people', 'people.id', 'members.person_id')
    .select([
      'people.id',
      'people.name',
      'members.role',
      'members.created_at',
      e => e.exists(e.selectFrom('sessions').select('sessions.id').whereRef('sessions.person_id', '=', 'people.id')).as('joined'),
    ])
    .where('members.workspace_id', '=', workspaceId)

type Row = NonNullable<ReturnType<typeof rowOf>>
const rowOf = (db: Database, workspaceId: string, id: string) =>
  db.first(selectMembers(db, workspaceId).where('people.id', '=', id.toLowerCase()))

export function findMember(db: Database, workspaceId: string, id: string): Member | null {
  const row = rowOf(db, workspaceId, id)
  return row ? toMember(row) : null
}

/** Oldest first. */
export function listMembers(db: Database, workspaceId: string, { cursor, limit }: PageQuery) {
  const listing: Listing = { endpoint: 'listMembers', filters: { workspaceId } }
  let select = selectMembers(db, workspaceId)
    .orderBy('people.id')
    .limit(limit + 1)
  if (cursor) select = select.where('people.id', '>', String(decodeCursor(listing, cursor, 1)[0]))
  return toPage(db.all(select), limit, listing, row => [row.id], toMember)
}

export function insertPerson(db: Database, id: string, name: string, createdAt: string): void {
  db.run(db.sql.insertInto('people').values({ id, name, created_at: createdAt }))
}

export function insertMember(db: Database, workspaceId: string, personId: string, role: Role, createdAt: string): void {
  db.run(db.sql.insertInto('members').values({ workspace_id: workspaceId, person_id: personId, role, created_at: createdAt }))
}

export function setRole(db: Database, workspaceId: string, personId: string, role: Role): void {
  db.run(db.sql.updateTable('members').set({ role }).where('workspace_id', '=', workspaceId).where('person_id', '=', personId))
}

export function deleteMember(db: Database, workspaceId: string, personId: string): void {
  db.run(db.sql.deleteFrom('members').where('workspace_id', '=', workspaceId).where('person_id', '=', personId))
}

export function ownersOf(db: Database, workspaceId: string): number {
  const row = db.first(
    db.sql
      .selectFrom('members')
      .select(e => e.fn.countAll<number>().as('n'))
      .where('workspace_id', '=', workspaceId)
      .where('role', '=', 'owner'),
  )
  return row?.n ?? 0
}

/** Workspaces besides the given one with no other owner. */
export function solelyOwnedBy(db: Database, personId: string, besides: string) {
  return db.all(
    db.sql
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
      .select(['workspaces.id', 'workspaces.name'])
      .where('members.person_id', '=', personId)
      .where('members.role', '=', 'owner')
      .where('workspaces.id', '!=', besides)
      .where(e =>
        e.not(
          e.exists(
            e
              .selectFrom('members as others')
              .select('others.person_id')
              .whereRef('others.workspace_id', '=', 'members.workspace_id')
              .where('others.person_id', '!=', personId)
              .where('others.role', '=', 'owner'),
          ),
        ),
      )
      .orderBy('workspaces.id'),
  )
}

/** Makes a person an owner, whether a member already or not. */
export function upsertOwner(db: Database, workspaceId: string, personId: string, createdAt: string): void {
  db.run(
    db.sql
      .insertInto('members')
      .values({ workspace_id: workspaceId, person_id: personId, role: 'owner', created_at: createdAt })
      .onConflict(conflict => conflict.columns(['workspace_id', 'person_id']).doUpdateSet({ role: 'owner' })),
  )
}

/** In how many workspaces a person is. */
export function membershipsOf(db: Database, personId: string): number {
  const row = db.first(
    db.sql
      .selectFrom('members')
      .select(e => e.fn.countAll<number>().as('n'))
      .where('person_id', '=', personId),
  )
  return row?.n ?? 0
}

function toMember({ joined, ...row }: Row): Member {
  return { ...row, status: joined ? 'active' : 'invited' }
}
