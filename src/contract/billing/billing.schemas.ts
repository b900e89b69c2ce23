import { z } from 'zod'
import { MicroUsd, SignedMicroUsd, Timestamp, Uuid } from '../primitives.ts'
import { chargedPurchaseStates, purchaseMachine } from './purchase.machine.ts'

export const Wallet = z
  .strictObject({
    balance_microusd: SignedMicroUsd.describe('What has not been spent: the sum of `amount_microusd` over all entries of the ledger.'),
    held_microusd: SignedMicroUsd.describe('Part of the balance that is set aside for runs that have not ended.'),
    available_microusd: SignedMicroUsd.describe('The rest of the balance: what a new run may still set aside.'),
    spent_microusd: SignedMicroUsd.describe('Charged by runs so far, less what was given back.'),
  })
  .meta({ id: 'Wallet' })
export type Wallet = z.infer<typeof Wallet>

export const ledgerAccounts = ['funding', 'budget', 'held', 'spent', 'suspense'] as const
export const ledgerKinds = ['allotment', 'hold', 'charge', 'release', 'refund', 'dispute'] as const

/** One transfer between two accounts of the workspace: double entry, so that all accounts together are always 0. */
export const LedgerEntry = z
  .strictObject({
    id: z.string().describe('Names the business event, so that nothing is posted twice.'),
    posted_at: Timestamp,
    kind: z.enum(ledgerKinds),
    description: z.string(),
    from_account: z.enum(ledgerAccounts).describe('`budget` and `held` are the wallet; `funding` is where allotments come from.'),
    to_account: z.enum(ledgerAccounts),
    moved_microusd: MicroUsd.describe('What went from one account to the other.'),
    amount_microusd: SignedMicroUsd.describe('What that did to the wallet’s balance: "0" where it moved within the wallet.'),
    run_id: Uuid.nullable(),
    purchase_id: Uuid.nullable(),
  })
  .meta({ id: 'LedgerEntry' })
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const NewPurchaseBody = z
  .strictObject({
    amount_microusd: z
      .string()
      .regex(
        /^[1-9]\d{0,12}$/,
        'must be whole micro-USD above 0 as a decimal string of at most 13 digits, e.g. "1000000" for one US dollar',
      )
      .meta({ example: '10000000' }),
    note: z
      .string()
      .trim()
      .max(200)
      .regex(/^\P{Cc}*$/u, 'must not hold control characters')
      .default('')
      .describe('What it is for; shown in the ledger and on the receipt.'),
  })
  .meta({ id: 'NewPurchaseBody' })
export type NewPurchaseBody = z.infer<typeof NewPurchaseBody>

export const Purchase = z
  .strictObject({
    id: Uuid,
    status: z.enum(purchaseMachine.states),
    amount_microusd: MicroUsd,
    returned_microusd: MicroUsd.describe(
      'What a refund or dispute took back out of the wallet: what had not been spent or set aside by then.',
    ),
    note: z.string(),
    created_at: Timestamp,
    expires_at: Timestamp.describe('An open purchase can be confirmed until then.'),
    paid_at: Timestamp.nullable(),
    closed_at: Timestamp.nullable().describe('When it was refunded, disputed or cancelled, or has expired.'),
    receipt_number: z.string().nullable(),
  })
  .meta({ id: 'Purchase' })
export type Purchase = z.infer<typeof Purchase>

export const Receipt = z
  .strictObject({
    receipt_number: z.string(),
    purchase_id: Uuid,
    status: z.enum(chargedPurchaseStates),
    workspace: z.strictObject({ id: Uuid, name: z.string() }),
    amount_microusd: MicroUsd,
    returned_microusd: MicroUsd,
    note: z.string(),
    paid_at: Timestamp,
    closed_at: Timestamp.nullable(),
    statement: z.string().describe('That no card was charged.'),
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>
