import type { LedgerEntry } from '../../contract/billing/billing.schemas.ts'
import type { Database } from '../database.ts'

type Account = LedgerEntry['from_account']

export interface Transfer {
  /** Names the business event, so that it is posted once however often it is tried. */
  readonly id: string
  readonly workspaceId: string
  readonly from: Account
  readonly to: Account
  /** Micro-USD. */
  readonly amount: bigint
  readonly kind: LedgerEntry['kind']
  readonly runId?: string
  readonly purchaseId?: string
  readonly at: string
}

/** Posts a transfer in the caller's transaction. An amount of 0 moves nothing and leaves no trace. */
export function post(db: Database, transfer: Transfer): void {
  if (transfer.amount === 0n) return
  const { workspaceId, from, to } = transfer
  db.prepare(
    `insert into transfers (id, workspace_id, from_account, to_account, amount_microusd, kind, run_id, purchase_id, created_at)
     select ?, ?, f.id, t.id, ?, ?, ?, ?, ? from accounts f, accounts t
     where f.workspace_id = ? and f.kind = ? and t.workspace_id = ? and t.kind = ? on conflict (id) do nothing`,
  ).run(
    transfer.id,
    workspaceId,
    transfer.amount,
    transfer.kind,
    transfer.runId ?? null,
    transfer.purchaseId ?? null,
    transfer.at,
    workspaceId,
    from,
    workspaceId,
    to,
  )
}

export interface RunMoney {
  readonly workspaceId: string
  readonly runId: string
  readonly amount: bigint
  readonly at: string
}

/** Turns part of a run's hold into spending, once per attempt. */
export function chargeAttempt(db: Database, money: RunMoney, position: number, attempt: number): void {
  post(db, { ...money, id: `charge:${money.runId}:${position}:${attempt}`, from: 'held', to: 'spent', kind: 'charge' })
}
