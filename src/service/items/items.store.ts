import { z } from 'zod'
import { FolderSummary, Item, type ItemKind } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'

/** Where the items of a kind are, and the column of the id that names them. */
const homes: Readonly<Record<ItemKind, string>> = {
  benchmark: 'select 1 from benchmarks where slug = ?',
  comparison: 'select 1 from comparisons where id = ?',
  dataset: 'select 1 from datasets where id = ?',
  decision: 'select 1 from release_decisions where id = ?',
  evaluator: 'select 1 from evaluator_versions where evaluator_id = ?',
  monitor: 'select 1 from tune_monitors where id = ?',
  run: 'select 1 from runs where part_of is null and deleted_at is null and id = ?',
  session: 'select 1 from tune_sessions where id = ?',
  suite: 'select 1 from suite_versions where suite_id = ?',
  trace: 'select 1 from traces where id = ?',
}

export function isItem(db: Database, workspaceId: string, kind: ItemKind, id: string): boolean {
  return db.prepare(`${homes[kind]} and workspace_id = ? limit 1`).get(id, workspaceId) !== undefined
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

/** Keeps a benchmark out of lists from its first moment, as one that a feature made for itself. */
export function markBenchmarkArchived(db: Database, workspaceId: string, slug: string, at: string): void {
  changeItem(db, workspaceId, { kind: 'benchmark', id: slug, at, archived: true })
}

const Folders = z.array(FolderSummary)

export function listFolders(db: Database, workspaceId: string, kind: ItemKind): FolderSummary[] {
  return Folders.parse(
    db.all(
      db.sql
        .selectFrom('item_marks')
        .select(e => ['folder', e.fn.countAll<number>().as('items')])
        .where('workspace_id', '=', workspaceId)
        .where('kind', '=', kind)
        .where('folder', 'is not', null)
        .groupBy('folder')
        .orderBy('folder'),
    ),
  )
}
