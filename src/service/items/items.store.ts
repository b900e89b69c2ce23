import { z } from 'zod'
import { type DeletableKind, FolderSummary, Item, type ItemKind, ItemUse } from '../../contract/items/items.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** The items of a kind, up to the column of the id that names them. */
const homes: Readonly<Record<ItemKind, string>> = {
  benchmark: 'select 1 from benchmarks where slug',
  comparison: 'select 1 from comparisons where id',
  dataset: 'select 1 from datasets where id',
  decision: 'select 1 from release_decisions where id',
  evaluator: 'select 1 from evaluator_versions where evaluator_id',
  monitor: 'select 1 from tune_monitors where id',
  run: 'select 1 from runs where part_of is null and deleted_at is null and id',
  session: 'select 1 from tune_sessions where id',
  suite: 'select 1 from suite_versions where suite_id',
  trace: 'select 1 from traces where id',
}

export function isItem(db: Database, workspaceId: string, kind: ItemKind, id: string): boolean {
  return db.prepare(`${homes[kind]} = ? and workspace_id = ? limit 1`).get(id, workspaceId) !== undefined
}

interface ItemChange {
  readonly kind: ItemKind
  readonly id: string
  readonly at: string
  readonly archived?: boolean | undefined
  readonly folder?: string | null | undefined
}

/** What is not given stays as it is; an item without a folder that is not archived has no row. */
export function changeItem(db: Database, workspaceId: string, { kind, id, at, archived, folder }: ItemChange): Item {
  const known = db.first(
    db.sql
      .selectFrom('item_marks')
      .select(['folder', 'archived_at'])
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', kind)
      .where('id', '=', id),
  )
  const before = known?.archived_at ?? null
  const item = {
    kind,
    id,
    folder: folder === undefined ? (known?.folder ?? null) : folder,
    archived_at: archived === undefined ? before : archived ? (before ?? at) : null,
  }
  const row = { workspace_id: workspaceId, ...item }
  if (item.folder === null && item.archived_at === null)
    db.run(db.sql.deleteFrom('item_marks').where('workspace_id', '=', workspaceId).where('kind', '=', kind).where('id', '=', id))
  else db.run(db.sql.replaceInto('item_marks').values(row))
  return Item.parse(item)
}

/** Statements that name what rests on an item of a workspace, and those that delete it, each with `@id` and `@workspace`. */
const deletions: Readonly<Record<DeletableKind, { readonly uses: string; readonly deletes: readonly string[] }>> = {
  comparison: {
    uses: `select 'run_group' as kind, id, name from run_groups where comparison_id = @id and workspace_id = @workspace`,
    deletes: [
      `delete from comparison_runs where comparison_id = @id and exists
         (select 1 from comparisons where id = @id and workspace_id = @workspace)`,
      `delete from comparisons where id = @id and workspace_id = @workspace`,
    ],
  },
  suite: {
    uses: `select 'evaluation' as kind, e.id, r.name from evaluations e join runs r on r.id = e.run_id
        join suite_versions v on v.id = e.suite_version_id where v.suite_id = @id and v.workspace_id = @workspace
      union select 'release_suite', s.id, s.name from release_suites s, json_each(s.summary, '$.groups') g
        join suite_versions v on v.id = g.value ->> 'suite_version_id' and v.suite_id = @id and v.workspace_id = @workspace
        where s.workspace_id = @workspace`,
    deletes: [`delete from suite_versions where suite_id = @id and workspace_id = @workspace`],
  },
}

const Uses = z.array(ItemUse)

export function usesOf(db: Database, workspace: string, kind: DeletableKind, id: string, most: number): ItemUse[] {
  return Uses.parse(db.prepare(`${deletions[kind].uses} limit @most`).all({ workspace, id, most }))
}

/** In a transaction, once nothing rests on it: foreign keys refuse the rest. */
export function deleteItem(db: Database, workspace: string, kind: DeletableKind, id: string): void {
  for (const statement of deletions[kind].deletes) db.prepare(statement).run({ workspace, id })
  db.run(db.sql.deleteFrom('item_marks').where('workspace_id', '=', workspace).where('kind', '=', kind).where('id', '=', id))
}

/** Keeps a benchmark out of lists from its first moment, as one that a feature made for itself. */
export function markBenchmarkArchived(db: Database, workspaceId: string, slug: string, at: string): void {
  changeItem(db, workspaceId, { kind: 'benchmark', id: slug, at, archived: true })
}

const Folders = z.array(FolderSummary)

/** A mark outlives its item where that was deleted by a feature of its own. */
export function listFolders(db: Database, workspace: string, kind: ItemKind): FolderSummary[] {
  return Folders.parse(
    db
      .prepare(
        `select m.folder, count(*) as items from item_marks m where m.workspace_id = @workspace and m.kind = @kind and m.folder is not null
           and exists (${homes[kind]} = m.id and workspace_id = @workspace) group by m.folder order by m.folder`,
      )
      .all({ workspace, kind }),
  )
}
