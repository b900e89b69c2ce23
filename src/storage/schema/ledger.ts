import type { Generated } from 'kysely'
import type { LedgerEntry } from '../../contract/billing/billing.schemas.ts'
import type { PurchaseStatus } from '../../contract/billing/purchase.machine.ts'
import type { StatusColumn } from './column.ts'

/** Double entry: every transfer moves an amount from one account to another, so the sum over all accounts is always 0. */
export interface AccountsTable {
  id: string
  workspace_id: string
  /** `funding` is where allotments come from, `suspense` keeps what may have been billed twice. */
  kind: LedgerEntry['from_account']
  balance_microusd: number
}

export interface TransfersTable {
  /** In the order of posting. */
  no: Generated<number>
  /** Unique per business event, so that none is ever posted twice. */
  id: string
  workspace_id: string
  from_account: string
  to_account: string
  amount_microusd: number
  kind: LedgerEntry['kind']
  run_id: string | null
  purchase_id: string | null
  created_at: string
}

export interface PurchasesTable {
  id: string
  workspace_id: string
  status: StatusColumn<PurchaseStatus>
  amount_microusd: number
  returned_microusd: number
  note: string
  created_at: string
  expires_at: string
  paid_at: string | null
  closed_at: string | null
  /** Counts the paid purchases of a workspace. */
  receipt_no: number | null
}
