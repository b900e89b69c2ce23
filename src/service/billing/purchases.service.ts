import type { NewPurchaseBody, Purchase, Receipt } from '../../contract/billing/billing.schemas.ts'
import { chargedPurchaseStates, purchaseMachine } from '../../contract/billing/purchase.machine.ts'
import { ApiError, requireFound } from '../../contract/errors.ts'
import { transition } from '../../storage/transition.ts'
import type { WorkspaceMembership } from '../auth/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { post } from '../../storage/billing/transfers.store.ts'
import { balanceOf } from './ledger.store.ts'
import {
  findPurchase,
  insertPurchase,
  listPurchases,
  markClosed,
  markPaid,
  overduePurchases,
  type PurchaseRow,
  type PurchasesQuery,
  toPurchase,
} from './purchases.store.ts'

const lifetime = 24 * 3600 * 1000
const column = { table: 'purchases', column: 'status' } as const
const statement =
  'The wallet is a budget on this workstation. No card or account was charged, and this receipt is no proof of payment to anybody.'

export interface Purchases {
  list(workspaceId: string, query: PurchasesQuery): { items: Purchase[]; next_cursor: string | null }
  create(workspaceId: string, body: NewPurchaseBody): Purchase
  confirm(workspaceId: string, id: string): Purchase
  cancel(workspaceId: string, id: string): Purchase
  refund(workspaceId: string, id: string): Purchase
  dispute(workspaceId: string, id: string): Purchase
  receipt(workspace: WorkspaceMembership, id: string): Receipt
}

export function createPurchases({ db, clock, ids }: Kernel): Purchases {
  const rowOf = (workspaceId: string, id: string): PurchaseRow => requireFound(findPurchase(db, workspaceId, id), 'purchase', id)
  const read = (workspaceId: string, id: string): Purchase => toPurchase(rowOf(workspaceId, id), timestamp(clock))

  /** Recorded apart from the step that finds it out: that step may then be refused, and this stays. */
  const expireOverdue = (now: string) =>
    db.transaction(() => {
      for (const { id, expires_at } of overduePurchases(db, now)) {
        transition(db, purchaseMachine, column, id, 'expire', now)
        markClosed(db, id, expires_at, 0n)
      }
    })
  const step = (workspaceId: string, id: string, take: (row: PurchaseRow, now: string) => void): Purchase => {
    const now = timestamp(clock)
    expireOverdue(now)
    return db.transaction(() => {
      take(rowOf(workspaceId, id), now)
      return read(workspaceId, id)
    })
  }
  /** Takes back what is still available, so that the wallet never owes what runs have spent or set aside. */
  const takeBack = (event: 'refund' | 'dispute') => (row: PurchaseRow, now: string) => {
    transition(db, purchaseMachine, column, row.id, event, now)
    const available = balanceOf(db, row.workspace_id, 'budget')
    const amount = BigInt(row.amount_microusd)
    const returned = available < amount ? available : amount
    const transfer = { workspaceId: row.workspace_id, purchaseId: row.id, at: now, amount: returned > 0n ? returned : 0n }
    post(db, { ...transfer, id: `${event}:${row.id}`, from: 'budget', to: 'funding', kind: event })
    markClosed(db, row.id, now, transfer.amount)
  }

  return {
    list: (workspaceId, query) => listPurchases(db, workspaceId, query, row => toPurchase(row, timestamp(clock))),
    create: (workspaceId, body) => {
      const id = ids.next()
      const now = clock.now()
      insertPurchase(db, {
        id,
        workspaceId,
        body,
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + lifetime).toISOString(),
      })
      return read(workspaceId, id)
    },
    confirm: (workspaceId, id) =>
      step(workspaceId, id, (row, now) => {
        transition(db, purchaseMachine, column, row.id, 'confirm', now)
        markPaid(db, row, now)
        const amount = BigInt(row.amount_microusd)
        post(db, {
          workspaceId,
          purchaseId: row.id,
          at: now,
          amount,
          id: `allotment:${row.id}`,
          from: 'funding',
          to: 'budget',
          kind: 'allotment',
        })
      }),
    cancel: (workspaceId, id) =>
      step(workspaceId, id, (row, now) => {
        transition(db, purchaseMachine, column, row.id, 'cancel', now)
        markClosed(db, row.id, now, 0n)
      }),
    refund: (workspaceId, id) => step(workspaceId, id, takeBack('refund')),
    dispute: (workspaceId, id) => step(workspaceId, id, takeBack('dispute')),
    receipt: (workspace, id) => {
      const purchase = read(workspace.id, id)
      const status = chargedPurchaseStates.find(state => state === purchase.status)
      if (!status || purchase.receipt_number === null || purchase.paid_at === null) {
        throw new ApiError('illegal_transition', `The purchase is ${purchase.status}, so nothing was paid and there is no receipt.`)
      }
      return {
        receipt_number: purchase.receipt_number,
        purchase_id: purchase.id,
        status,
        workspace: { id: workspace.id, name: workspace.name },
        amount_microusd: purchase.amount_microusd,
        returned_microusd: purchase.returned_microusd,
        note: purchase.note,
        paid_at: purchase.paid_at,
        closed_at: purchase.closed_at,
        statement,
      }
    },
  }
}
