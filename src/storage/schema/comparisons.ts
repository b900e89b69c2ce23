import type { JsonText } from './column.ts'

export interface ComparisonsTable {
  id: string
  workspace_id: string
  name: string
  /** The contract's ComparisonListItem. */
  summary: JsonText
  /** The contract's Comparison. */
  record: JsonText
  /** The aligned tasks, packed: see engine/reporting/comparisons/aligned-tasks.ts. */
  tasks: Uint8Array
  digest: string
  /** Lower-case text that searches look in. */
  search: string
  created_at: string
}

/** Runs and evaluations of a comparison, by the ids used in the request. */
export interface ComparisonRunsTable {
  comparison_id: string
  asked_id: string
}
