/** Totals per workspace and server; one row for each, however many calls. */
export interface NetworkHostsTable {
  workspace_id: string
  origin: string
  requests: number
  sent_bytes: number
  received_bytes: number
  /** Scheme, host and port of the proxy of the last request; null: none. */
  proxy: string | null
  first_at: string
  last_at: string
}
