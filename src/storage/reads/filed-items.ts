import { type RawBuilder, sql } from 'kysely'
import type { ItemKind } from '../../contract/items/items.schemas.ts'

export interface Filing {
  readonly archived?: 'true' | 'false' | 'any' | undefined
  readonly folder?: string | undefined
}

/**
 * Whether an item of a list is in the folder and archived as asked for.
 * @param column the id that names the item
 */
export function isFiled(kind: ItemKind, column: string, workspaceId: string, { archived = 'any', folder }: Filing): RawBuilder<boolean> {
  const marks = (condition: RawBuilder<boolean>) =>
    sql<boolean>`exists (select 1 from item_marks m where m.workspace_id = ${workspaceId} and m.kind = ${kind} and m.id = ${sql.ref(column)} and ${condition})`
  const isArchived = marks(sql<boolean>`m.archived_at is not null`)
  const conditions = [
    ...(archived === 'any' ? [] : [archived === 'true' ? isArchived : sql<boolean>`not ${isArchived}`]),
    ...(folder === undefined ? [] : [marks(sql<boolean>`m.folder = ${folder}`)]),
  ]
  return conditions.length === 0 ? sql<boolean>`1` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
