import { z } from 'zod'
import { type DeletableKind, FolderSummary, Item, type ItemKind, ItemUse } from '../../contract/items/items.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { unpackReleaseSelections } from '../../storage/reads/release-selections.ts'
import { noteUsedNumbers } from '../../storage/row-numbers.ts'
import { deletions, versionsOfBenchmark } from './deletions.ts'

/** The items of a kind, up to the column of the id that names them. */
const homes: Readonly<Record<ItemKind, string>> = {
  benchmark: 'select 1 from benchmarks where slug',
  comparison: 'select 1 from comparisons where id',
  dataset: 'select 1 from datasets where deleting = 0 and id',
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

const Uses = z.array(ItemUse)

interface UsesQuery {
  readonly kind: DeletableKind
  readonly id: string
  /** Now: a quote that has expired rests on nothing. */
  readonly at: string
}

export function usesOf(db: Database, workspace: string, { kind, id, at }: UsesQuery, most: number): ItemUse[] {
  const uses = Uses.parse(db.prepare(`${deletions[kind].uses} limit @most`).all({ workspace, id, at, most }))
  return kind === 'benchmark' ? [...uses, ...releaseSuitesOver(db, workspace, id)].slice(0, most) : uses
}

/** Their tasks are packed. */
function releaseSuitesOver(db: Database, workspace: string, slug: string): ItemUse[] {
  const refs = new Set(db.prepare(`select v.source_ref ${versionsOfBenchmark}`).pluck().all({ workspace, id: slug }))
  const suites = db.all(db.sql.selectFrom('release_suites').select(['id', 'name', 'selections']).where('workspace_id', '=', workspace))
  return suites
    .filter(({ selections }) => unpackReleaseSelections(selections).some(group => group.some(({ source_ref: ref }) => refs.has(ref))))
    .map(({ id, name }) => ({ kind: 'release_suite', id, name }))
}

/** In a transaction, once nothing rests on it: foreign keys refuse the rest. */
export function deleteItem(db: Database, workspace: string, kind: DeletableKind, id: string): void {
  noteUsedNumbers(db)
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
