import type { ItemKind } from '../../contract/items/items.schemas.ts'

/** A quote or a run that names a version of an evaluator. */
export interface EvaluatorUsesTable {
  version_id: string
  quote_id: string | null
  run_no: number | null
}

/** Folder and archiving of items that have no columns for them. */
export interface ItemMarksTable {
  workspace_id: string
  kind: ItemKind
  /** As the interface names the item. */
  id: string
  folder: string | null
  archived_at: string | null
}
