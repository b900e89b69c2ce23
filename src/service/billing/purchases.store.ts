import { sql } from 'kysely'
import type { NewPurchaseBody, Purchase } from '../../contract/billing/billing.schemas.ts'
import { chargedPurchaseStates, type PurchaseStatus } from '../../contract/billing/purchase.machine.ts'
import type { Database } from '../../storage/database.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'

export type PurchaseRow = NonNullable<ReturnType<typeof findPurchase>>

export interface NewPurchase {
  readonly id: string
  readonly workspaceId: string
  readonly body: NewPurchaseBody
  readonly createdAt: string
  readonly expiresAt: string
}

export function insertPurchase(db: Database, { id, workspaceId, body, createdAt, expiresAt }: NewPurchase): void {
  db.run(
    db.sql.insertInto('purchases').values({
      id,
      workspace_id: workspaceId,
      status: 'open',
      amount_microusd: Number(body.amount_microusd),
      returned_microusd: 0,
      note: body.note,
      created_at: createdAt,
      expires_at: expiresAt,
      paid_at: null,
      closed_at: null,
      receipt_no: null,
    }),
  )
}

export function findPurchase(db: Database, workspaceId: string, id: string) {
  return db.first(db.sql.selectFrom('purchases').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id.toLowerCase()))
}

export interface PurchasesQuery extends PageQuery {
  readonly receipts_only: boolean
}

export function listPurchases(db: Database, workspaceId: string, query: PurchasesQuery, toItem: (row: PurchaseRow) => Purchase) {
  const { cursor, limit, receipts_only } = query
  let select = db.sql.selectFrom('purchases').selectAll().where('workspace_id', '=', workspaceId)
  if (receipts_only) select = select.where('status', 'in', chargedPurchaseStates)
  return newestFirst(db, select, 'id', { endpoint: 'listPurchases', filters: { workspaceId, receipts_only } }, { cursor, limit }, toItem)
}

/** Open purchases whose time is over, in any workspace. */
export function overduePurchases(db: Database, now: string) {
  // Literally, as the index of open ones needs it.
  const open = sql.lit<'open'>('open')
  return db.all(db.sql.selectFrom('purchases').select(['id', 'expires_at']).where('status', '=', open).where('expires_at', '<=', now))
}

/** Gives the purchase the workspace's next receipt number. */
export function markPaid(db: Database, { id, workspace_id }: PurchaseRow, at: string): void {
  const last = db.first(
    db.sql
      .selectFrom('purchases')
      .select(e => e.fn.max('receipt_no').as('no'))
      .where('workspace_id', '=', workspace_id)
      .where('receipt_no', 'is not', null),
  )
  db.run(
    db.sql
      .updateTable('purchases')
      .set({ paid_at: at, receipt_no: (last?.no ?? 0) + 1 })
      .where('id', '=', id),
  )
}

export function markClosed(db: Database, id: string, at: string, returned: bigint): void {
  db.run(
    db.sql
      .updateTable('purchases')
      .set({ closed_at: at, returned_microusd: Number(returned) })
      .where('id', '=', id),
  )
}

/** Reads change nothing, so an open purchase whose time is over is shown as expired before that is recorded. */
export function toPurchase(row: PurchaseRow, now: string): Purchase {
  const overdue = row.status === 'open' && row.expires_at <= now
  const status: PurchaseStatus = overdue ? 'expired' : row.status
  return {
    id: row.id,
    status,
    amount_microusd: String(row.amount_microusd),
    returned_microusd: String(row.returned_microusd),
    note: row.note,
    created_at: row.created_at,
    expires_at: row.expires_at,
    paid_at: row.paid_at,
    closed_at: overdue ? row.expires_at : row.closed_at,
    receipt_number: row.receipt_no === null ? null : receiptNumber(row.receipt_no),
  }
}

function receiptNumber(no: number): string {
  return `R-${String(no).padStart(6, '0')}`
}
