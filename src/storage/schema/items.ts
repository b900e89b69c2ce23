import type { ItemKind } from '../../contract/items/items.schemas.ts'

/** Folder and archiving of items that have no columns for them. */
export interface ItemMarksTable {
  workspace_id: string
  kind: ItemKind
  /** As the interface names the item. */
  id: string
  folder: string | null
  archived_at: string | null
}
