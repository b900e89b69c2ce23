import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, toPage } from '../../storage/keyset.ts'

export interface NewGroupRow {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly createdAt: string
  readonly runIds: readonly string[]
}

/** In the caller's transaction. */
export function insertGroup(db: Database, { id, workspaceId, name, createdAt, runIds }: NewGroupRow): void {
  db.run(db.sql.insertInto('run_groups').values({ id, workspace_id: workspaceId, name, comparison_id: null, created_at: createdAt }))
  db.run(db.sql.insertInto('run_group_runs').values(runIds.map((runId, position) => ({ group_id: id, position, run_id: runId }))))
}

const selectGroups = (db: Database, workspaceId: string) =>
  db.sql
    .selectFrom('run_groups')
    .select(['run_groups.id', 'run_groups.name', 'run_groups.comparison_id', 'run_groups.created_at'])
    .where('run_groups.workspace_id', '=', workspaceId)

export function findGroup(db: Database, workspaceId: string, id: string) {
  return db.first(selectGroups(db, workspaceId).where('run_groups.id', '=', id.toLowerCase()))
}

export type GroupRow = NonNullable<ReturnType<typeof findGroup>>

/** Ids of its runs in their order, without those that were deleted. */
export function runsOfGroup(db: Database, groupId: string): string[] {
  return db
    .all(
      db.sql
        .selectFrom('run_group_runs')
        .innerJoin('runs', 'runs.id', 'run_group_runs.run_id')
        .select('run_id')
        .where('group_id', '=', groupId)
        .where('runs.deleted_at', 'is', null)
        .orderBy('position'),
    )
    .map(row => row.run_id)
}

export function keepComparison(db: Database, groupId: string, comparisonId: string): void {
  db.run(db.sql.updateTable('run_groups').set({ comparison_id: comparisonId }).where('id', '=', groupId))
}

export interface RunGroupsQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly run_id?: string | undefined
}

export function listGroups<Item>(
  db: Database,
  workspaceId: string,
  { cursor, limit, run_id: runId }: RunGroupsQuery,
  toItem: (row: GroupRow) => Item,
) {
  const listing: Listing = { endpoint: 'listRunGroups', filters: { workspaceId, runId } }
  let select = selectGroups(db, workspaceId)
    .orderBy('run_groups.id', 'desc')
    .limit(limit + 1)
  if (cursor) select = select.where('run_groups.id', '<', String(decodeCursor(listing, cursor, 1)[0]))
  if (runId)
    select = select.where(
      'run_groups.id',
      'in',
      db.sql.selectFrom('run_group_runs').select('group_id').where('run_id', '=', runId.toLowerCase()),
    )
  return toPage(db.all(select), limit, listing, row => [row.id], toItem)
}
