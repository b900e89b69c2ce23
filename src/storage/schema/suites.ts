import type { JsonText } from './column.ts'

export interface SuiteVersionsTable {
  id: string
  /** Null: shipped with the product. */
  workspace_id: string | null
  /** Id of the suite's first version. */
  suite_id: string
  version: number
  previous_version_id: string | null
  name: string
  visibility: 'workspace' | 'public'
  /** The contract's SuiteSummary without `latest`. */
  summary: JsonText
  /** The contract's ResolvedSelection[] as JSON, zstd. */
  selections: Uint8Array
  digest: string
  /** Lower-case text that searches look in. */
  search: string
  created_at: string
}
