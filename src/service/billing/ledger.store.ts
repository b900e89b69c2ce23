import { ApiError } from '../../contract/index.ts'
import type { Database } from '../../storage/database.ts'

type AccountKind = 'funding' | 'budget' | 'held' | 'spent' | 'suspense'

interface Transfer {
  /** Names the business event, so that it is posted once however often it is tried. */
  readonly id: string
  readonly workspaceId: string
  readonly from: AccountKind
  readonly to: AccountKind
  readonly amount: bigint
  readonly kind: 'allotment' | 'hold' | 'charge' | 'release' | 'refund'
  readonly runId: string | null
  readonly at: string
}

/** Posts a transfer in the caller's transaction. An amount of 0 moves nothing and leaves no trace. */
function post(db: Database, transfer: Transfer): void {
  if (transfer.amount === 0n) return
  db.prepare(
    `insert into transfers (id, workspace_id, from_account, to_account, amount_microusd, kind, run_id, created_at)
     select ?, ?, f.id, t.id, ?, ?, ?, ? from accounts f, accounts t
     where f.workspace_id = ? and f.kind = ? and t.workspace_id = ? and t.kind = ? on conflict (id) do nothing`,
  ).run(
    transfer.id,
    transfer.workspaceId,
    transfer.amount,
    transfer.kind,
    transfer.runId,
    transfer.at,
    transfer.workspaceId,
    transfer.from,
    transfer.workspaceId,
    transfer.to,
  )
}

export function balanceOf(db: Database, workspaceId: string, kind: AccountKind): bigint {
  const row = db.first(db.sql.selectFrom('accounts').select('balance_microusd').where('workspace_id', '=', workspaceId).where('kind', '=', kind))
  return BigInt(row?.balance_microusd ?? 0)
}

interface RunMoney {
  readonly workspaceId: string
  readonly runId: string
  readonly amount: bigint
  readonly at: string
}

/** Sets aside what a run may cost at most. @throws ApiError insufficient_credit */
export function holdForRun(db: Database, { workspaceId, runId, amount, at }: RunMoney): void {
  const available = balanceOf(db, workspaceId, 'budget')
  if (amount > available) {
    throw new ApiError('insufficient_credit', `The run may cost up to ${amount} micro-USD and the wallet holds ${available}. Lower the cap or add to the wallet.`)
  }
  post(db, { id: `hold:${runId}`, workspaceId, from: 'budget', to: 'held', amount, kind: 'hold', runId, at })
}

/** Turns part of a run's hold into spending, once per attempt. */
export function chargeAttempt(db: Database, money: RunMoney, position: number, attempt: number): void {
  post(db, { ...money, id: `charge:${money.runId}:${position}:${attempt}`, from: 'held', to: 'spent', kind: 'charge' })
}

/** Gives back what a run did not need. */
export function releaseRest(db: Database, money: RunMoney): void {
  post(db, { ...money, id: `release:${money.runId}`, from: 'held', to: 'budget', kind: 'release' })
}
