/** Totals per workspace and server; one row for each, however many calls. */
export interface NetworkHostsTable {
  workspace_id: string
  origin: string
  requests: number
  sent_bytes: number
  received_bytes: number
  first_at: string
  last_at: string
}
