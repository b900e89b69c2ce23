import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { LedgerEntry, NewPurchaseBody, Purchase, Receipt, Wallet } from './billing.schemas.ts'

const params = z.strictObject({ purchase_id: Uuid })

/** A step of a purchase that an owner session takes. */
const step = {
  scope: 'billing:write',
  params,
  response: Purchase,
  errors: ['owner_session_required', 'illegal_transition'],
} as const

export const billingEndpoints = endpoints('Billing', {
  getWallet: {
    route: 'GET /v1/billing/wallet',
    summary: 'Read the wallet',
    description: 'The wallet is a budget for managed routes. Connections are billed by their provider and do not touch it.',
    scope: 'billing:read',
    response: Wallet,
  },
  listLedger: {
    route: 'GET /v1/billing/ledger',
    summary: 'List the ledger, newest entry first',
    description: 'Every entry of the wallet: credit, holds, charges and releases. Amounts are signed micro-USD.',
    scope: 'billing:read',
    query: z.strictObject({
      ...paging(),
      q: z
        .string()
        .max(200)
        .default('')
        .describe(
          'Words, "phrases" and -exclusions in any order, in the name, model or benchmark of a run, the note of a purchase or the kind.',
        ),
    }),
    response: page(LedgerEntry),
    errors: ['invalid_cursor'],
  },
  exportLedger: {
    route: 'GET /v1/billing/ledger.csv',
    summary: 'Download the whole ledger as CSV',
    description: 'Same entries, names and values as the listing. Text that a spreadsheet could evaluate is prefixed with an apostrophe.',
    scope: 'billing:read',
    kind: 'file',
    files: ['text/csv'],
    fileExamples: {
      'text/csv': 'id,posted_at,kind,description,from_account,to_account,moved_microusd,amount_microusd,run_id,purchase_id',
    },
  },
  listPurchases: {
    route: 'GET /v1/billing/purchases',
    summary: 'List purchases',
    description: 'Credit purchases in any state, newest first; `receipts_only` leaves out those that were not paid.',
    scope: 'billing:read',
    query: z.strictObject({
      ...paging(),
      receipts_only: z.boolean().default(false).describe('Only those that charged a payment: paid, refunded, disputed.'),
    }),
    response: page(Purchase),
    errors: ['invalid_cursor'],
  },
  createPurchase: {
    route: 'POST /v1/billing/purchases',
    summary: 'Begin an allotment to the wallet',
    description: 'For owner sessions. Adds nothing until confirmed; expires after 24 hours. No card is charged.',
    scope: 'billing:write',
    status: 201,
    idempotent: 'stored',
    body: NewPurchaseBody,
    response: Purchase,
    errors: ['owner_session_required'],
  },
  confirmPurchase: {
    ...step,
    route: 'POST /v1/billing/purchases/{purchase_id}/confirm',
    summary: 'Confirm an open purchase',
    description: 'Adds its amount to the wallet.',
  },
  cancelPurchase: {
    ...step,
    route: 'POST /v1/billing/purchases/{purchase_id}/cancel',
    summary: 'Cancel an open purchase',
    description: 'Only a purchase that is not paid yet.',
  },
  refundPurchase: {
    ...step,
    route: 'POST /v1/billing/purchases/{purchase_id}/refund',
    summary: 'Refund a paid purchase',
    description: 'Deducts the part of its amount that is still available; amounts spent or held by runs are not affected.',
  },
  disputePurchase: {
    ...step,
    route: 'POST /v1/billing/purchases/{purchase_id}/dispute',
    summary: 'Mark a paid purchase as disputed',
    description: 'Deducts the part of its amount that is still available.',
  },
  getReceipt: {
    route: 'GET /v1/billing/purchases/{purchase_id}/receipt',
    summary: 'Read the receipt of a purchase',
    description: 'JSON; a printable page for clients that prefer text/html. 409 `conflict` before payment.',
    scope: 'billing:read',
    params,
    response: Receipt,
    errors: ['conflict', 'illegal_transition'],
  },
})
