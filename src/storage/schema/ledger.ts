/** Double entry: every transfer moves an amount from one account to another, so the sum over all accounts is always 0. */
export interface AccountsTable {
  id: string
  workspace_id: string
  /** `funding` is where allotments come from, `suspense` keeps what may have been billed twice. */
  kind: 'funding' | 'budget' | 'held' | 'spent' | 'suspense'
  balance_microusd: number
}

export interface TransfersTable {
  /** Unique per business event, so that none is ever posted twice. */
  id: string
  workspace_id: string
  from_account: string
  to_account: string
  amount_microusd: number
  kind: 'allotment' | 'hold' | 'charge' | 'release' | 'refund'
  run_id: string | null
  created_at: string
}
