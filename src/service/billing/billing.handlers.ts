import type { billingEndpoints } from '../../contract/billing/billing.endpoints.ts'
import { requireRole } from '../auth/index.ts'
import type { Handlers, Pages, WorkspaceContext } from '../http/handler.ts'
import type { Kernel } from '../kernel.ts'
import { ledgerCsv } from './ledger-csv.ts'
import { listLedger, readLedger, readWallet } from './ledger-entries.store.ts'
import type { Purchases } from './purchases.service.ts'
import { receiptPage } from './receipt-page.ts'

/** Entries of the ledger that are read at a time: few enough not to hold other requests up. */
const chunk = 500

const requireOwner = ({ principal, workspace }: WorkspaceContext) =>
  requireRole(principal, workspace, ['owner'], 'change what the wallet holds')

export function billingHandlers({ db }: Kernel, purchases: Purchases): Handlers<typeof billingEndpoints> {
  const step =
    (take: (workspaceId: string, id: string) => ReturnType<Purchases['confirm']>) =>
    (context: WorkspaceContext, { params }: { readonly params: { readonly purchase_id: string } }) => {
      requireOwner(context)
      return take(context.workspaceId, params.purchase_id)
    }
  return {
    getWallet: ({ workspaceId }) => readWallet(db, workspaceId),
    listLedger: ({ workspaceId }, { query }) => listLedger(db, workspaceId, query),
    exportLedger: ({ workspaceId }) => ledgerCsv(readLedger(db, workspaceId, chunk)),
    listPurchases: ({ workspaceId }, { query }) => purchases.list(workspaceId, query),
    createPurchase: (context, { body }) => {
      requireOwner(context)
      return purchases.create(context.workspaceId, body)
    },
    confirmPurchase: step(purchases.confirm),
    cancelPurchase: step(purchases.cancel),
    refundPurchase: step(purchases.refund),
    disputePurchase: step(purchases.dispute),
    getReceipt: ({ workspace }, { params }) => purchases.receipt(workspace, params.purchase_id),
  }
}

export const billingPages: Pages<typeof billingEndpoints> = { getReceipt: receiptPage }
