import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

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

/** What its runs and their parts have cost, by wallet and providers, whether or not they were deleted since. */
export function spentBy(db: Database, groupId: string): bigint {
  const spent = db.all(
    db.sql
      .selectFrom('run_group_runs')
      .innerJoin('runs', 'runs.id', 'run_group_runs.run_id')
      .innerJoin('runs as paid', join =>
        join.on(e => e.or([e('paid.no', '=', e.ref('runs.no')), e('paid.part_of', '=', e.ref('runs.no'))])),
      )
      .select(['paid.charged_microusd', 'paid.billed_microusd'])
      .where('group_id', '=', groupId),
  )
  return spent.reduce((sum, row) => sum + BigInt(row.charged_microusd) + BigInt(row.billed_microusd), 0n)
}

export function keepComparison(db: Database, groupId: string, comparisonId: string): void {
  db.run(db.sql.updateTable('run_groups').set({ comparison_id: comparisonId }).where('id', '=', groupId))
}

export interface RunGroupsQuery extends PageQuery {
  readonly run_id?: string | undefined
}

export function listGroups<Item>(
  db: Database,
  workspaceId: string,
  { cursor, limit, run_id: runId }: RunGroupsQuery,
  toItem: (row: GroupRow) => Item,
) {
  let select = selectGroups(db, workspaceId)
  if (runId)
    select = select.where(
      'run_groups.id',
      'in',
      db.sql.selectFrom('run_group_runs').select('group_id').where('run_id', '=', runId.toLowerCase()),
    )
  return newestFirst(
    db,
    select,
    ['run_groups', 'id'],
    { endpoint: 'listRunGroups', filters: { workspaceId, runId } },
    { cursor, limit },
    toItem,
  )
}
