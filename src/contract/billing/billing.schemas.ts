import { z } from 'zod'
import { MicroUsd, named, SignedMicroUsd, Timestamp, Uuid } from '../primitives.ts'
import { chargedPurchaseStates, purchaseMachine } from './purchase.machine.ts'

export const Wallet = named('Wallet', {
  balance_microusd: SignedMicroUsd.describe('Unspent amount: the sum of `amount_microusd` over all ledger entries.'),
  held_microusd: SignedMicroUsd.describe('Part of the balance held for runs that have not ended.'),
  available_microusd: SignedMicroUsd.describe('Balance minus held amount: available for new runs.'),
  spent_microusd: SignedMicroUsd.describe('Charged by runs, net of refunds.'),
})
export type Wallet = z.infer<typeof Wallet>

export const ledgerAccounts = ['funding', 'budget', 'held', 'spent', 'suspense'] as const
export const ledgerKinds = ['allotment', 'hold', 'charge', 'release', 'refund', 'dispute'] as const

/** One transfer between two accounts of the workspace. Double entry: the sum over all accounts is always 0. */
export const LedgerEntry = named('LedgerEntry', {
  id: z.string().describe('Identifies the business event, so that it is posted only once.'),
  posted_at: Timestamp,
  kind: z.enum(ledgerKinds),
  description: z.string(),
  from_account: z.enum(ledgerAccounts).describe('`budget` and `held` are the wallet; `funding` is where allotments come from.'),
  to_account: z.enum(ledgerAccounts),
  moved_microusd: MicroUsd.describe('Amount transferred.'),
  amount_microusd: SignedMicroUsd.describe('Change of the wallet’s balance: "0" for transfers within the wallet.'),
  run_id: Uuid.nullable(),
  purchase_id: Uuid.nullable(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const NewPurchaseBody = named('NewPurchaseBody', {
  amount_microusd: z
    .string()
    .regex(/^[1-9]\d{0,12}$/, 'must be whole micro-USD above 0 as a decimal string of at most 13 digits, e.g. "1000000" for one US dollar')
    .meta({ example: '10000000' }),
  note: z
    .string()
    .trim()
    .max(200)
    .regex(/^\P{Cc}*$/u, 'must not hold control characters')
    .default('')
    .describe('Purpose; shown in the ledger and on the receipt.'),
})
export type NewPurchaseBody = z.infer<typeof NewPurchaseBody>

export const Purchase = named('Purchase', {
  id: Uuid,
  status: z.enum(purchaseMachine.states),
  amount_microusd: MicroUsd,
  returned_microusd: MicroUsd.describe(
    'Amount that a refund or dispute deducted from the wallet: the part not spent or held at that time.',
  ),
  note: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp.describe('Deadline for confirming an open purchase.'),
  paid_at: Timestamp.nullable(),
  closed_at: Timestamp.nullable().describe('When it was refunded, disputed or cancelled, or has expired.'),
  receipt_number: z.string().nullable(),
})
export type Purchase = z.infer<typeof Purchase>

export const Receipt = named('Receipt', {
  receipt_number: z.string(),
  purchase_id: Uuid,
  status: z.enum(chargedPurchaseStates),
  workspace: z.strictObject({ id: Uuid, name: z.string() }),
  amount_microusd: MicroUsd,
  returned_microusd: MicroUsd,
  note: z.string(),
  paid_at: Timestamp,
  closed_at: Timestamp.nullable(),
  statement: z.string().describe('Statement that no card was charged.'),
})
export type Receipt = z.infer<typeof Receipt>
