export interface WorldDraftsTable {
  id: string
  workspace_id: string
  job_id: string
  title: string
  /** JSON of what it is made of; null once it was made. */
  source: string | null
  /** JSON list of DraftedWorld; null until they are made. */
  worlds: string | null
  created_at: string
}

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
