export interface RunGroupsTable {
  id: string
  workspace_id: string
  name: string
  /** Of the latest results of its runs when it was made. */
  comparison_id: string | null
  created_at: string
}

export interface RunGroupRunsTable {
  group_id: string
  position: number
  run_id: string
}
