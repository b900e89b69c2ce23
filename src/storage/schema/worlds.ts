export interface WorldVersionsTable {
  id: string
  workspace_id: string
  slug: string
  title: string
  version: string
  source_ref: string
  /** JSON list. */
  profile_ids: string
  previous_version_id: string | null
  tool_count: number
  task_count: number
  /** JSON of WorldDefinition. */
  definition: string
  created_at: string
}
