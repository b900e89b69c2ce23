import type { JsonText } from './column.ts'

export interface ReleaseSuitesTable {
  id: string
  workspace_id: string
  /** Id of the suite's first version. */
  suite_id: string
  version: number
  previous_version_id: string | null
  name: string
  /** The contract's ReleaseSuiteSummary. */
  summary: JsonText
  /** For each group, in order, the contract's ResolvedSelection[]; JSON, zstd. */
  selections: Uint8Array
  digest: string
  created_at: string
}

export interface ReleasePoliciesTable {
  id: string
  workspace_id: string
  /** Id of the policy's first version. */
  policy_id: string
  version: number
  previous_version_id: string | null
  name: string
  /** The contract's ReleasePolicy. */
  policy: JsonText
  digest: string
  created_at: string
}
