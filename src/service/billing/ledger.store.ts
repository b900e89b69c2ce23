import { ledgerAccounts, type LedgerEntry } from '../../contract/billing/billing.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import { post, type RunMoney } from '../../storage/billing/transfers.store.ts'
import type { Database } from '../../storage/database.ts'

type Account = LedgerEntry['from_account']

/** The empty accounts of a new workspace. */
export function openAccounts(db: Database, workspaceId: string, nextId: () => string): void {
  for (const kind of ledgerAccounts) {
    db.run(db.sql.insertInto('accounts').values({ id: nextId(), workspace_id: workspaceId, kind, balance_microusd: 0 }))
  }
}

export function balanceOf(db: Database, workspaceId: string, kind: Account): bigint {
  const row = db.first(
    db.sql.selectFrom('accounts').select('balance_microusd').where('workspace_id', '=', workspaceId).where('kind', '=', kind),
  )
  return BigInt(row?.balance_microusd ?? 0)
}

/** Sets aside what a run may cost at most. @throws ApiError insufficient_credit */
export function holdForRun(db: Database, money: RunMoney): void {
  requireCredit(db, money)
  post(db, { ...money, id: `hold:${money.runId}`, from: 'budget', to: 'held', kind: 'hold' })
}

/**
 * Sets more aside for a run whose cap was raised.
 * @param total what is then held for it in all; each is reached once
 * @throws ApiError insufficient_credit
 */
export function raiseHold(db: Database, money: RunMoney, total: bigint): void {
  requireCredit(db, money)
  post(db, { ...money, id: `hold:${money.runId}:${total}`, from: 'budget', to: 'held', kind: 'hold' })
}

function requireCredit(db: Database, { workspaceId, amount }: RunMoney): void {
  const available = balanceOf(db, workspaceId, 'budget')
  if (amount <= available) return
  throw new ApiError(
    'insufficient_credit',
    `The request may cost up to ${amount} micro-USD and the wallet has ${available} available. Lower the spending limit or add to the wallet.`,
  )
}

/** Work other than a run that holds money, e.g. a calibration. */
export interface WorkMoney {
  readonly workspaceId: string
  /** Names the work, e.g. `calibration:<id>`. */
  readonly work: string
  readonly amount: bigint
  readonly at: string
}

/** @param no counts the holds of the work: a retry sets money aside again @throws ApiError insufficient_credit */
export function holdForWork(db: Database, { work, ...money }: WorkMoney, no: number): void {
  requireCredit(db, { ...money, runId: work })
  post(db, { ...money, id: `hold:${work}:${no}`, from: 'budget', to: 'held', kind: 'hold' })
}

/** @param call names the call within the work, so that it is charged once */
export function chargeForWork(db: Database, { work, ...money }: WorkMoney, call: string, runId?: string): void {
  post(db, { ...money, id: `charge:${work}:${call}`, from: 'held', to: 'spent', kind: 'charge', ...(runId !== undefined && { runId }) })
}

/** What is left of the work's hold, or what it cost beyond. */
export function releaseWork(db: Database, { work, ...money }: WorkMoney, no: number | string): void {
  if (money.amount >= 0n) post(db, { ...money, id: `release:${work}:${no}`, from: 'held', to: 'budget', kind: 'release' })
  else post(db, { ...money, amount: -money.amount, id: `excess:${work}:${no}`, from: 'budget', to: 'held', kind: 'hold' })
}

/**
 * At the end of a run, gives back the rest of its hold. A negative amount is what calls in flight cost beyond the hold: that is
 * taken from the budget, so that no other run's hold pays for it.
 */
export function releaseRest(db: Database, money: RunMoney): void {
  if (money.amount >= 0n) post(db, { ...money, id: `release:${money.runId}`, from: 'held', to: 'budget', kind: 'release' })
  else post(db, { ...money, amount: -money.amount, id: `excess:${money.runId}`, from: 'budget', to: 'held', kind: 'hold' })
}
