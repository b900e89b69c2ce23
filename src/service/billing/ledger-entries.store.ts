import { z } from 'zod'
import { LedgerEntry, type Wallet } from '../../contract/billing/billing.schemas.ts'
import { searchTerms } from '../../lib/text-query.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { balanceOf } from './ledger.store.ts'

const Row = z.object({
  no: z.int(),
  id: z.string(),
  created_at: z.string(),
  kind: LedgerEntry.shape.kind,
  from_account: LedgerEntry.shape.from_account,
  to_account: LedgerEntry.shape.to_account,
  amount_microusd: z.int(),
  run_id: z.string().nullable(),
  purchase_id: z.string().nullable(),
  run_name: z.string().nullable(),
  note: z.string().nullable(),
})
type Row = z.infer<typeof Row>

/** The accounts that are the wallet: what can be spent and what is set aside. */
const walletAccounts: readonly string[] = ['budget', 'held']

export function readWallet(db: Database, workspaceId: string): Wallet {
  const available = balanceOf(db, workspaceId, 'budget')
  const held = balanceOf(db, workspaceId, 'held')
  return {
    balance_microusd: String(available + held),
    held_microusd: String(held),
    available_microusd: String(available),
    spent_microusd: String(balanceOf(db, workspaceId, 'spent')),
  }
}

export interface LedgerQuery extends PageQuery {
  readonly q: string
}

export function listLedger(db: Database, workspaceId: string, { cursor, limit, q }: LedgerQuery) {
  const listing: Listing = { endpoint: 'listLedger', filters: { workspaceId, q } }
  const before = cursor ? Number(decodeCursor(listing, cursor, 1)[0]) : Number.MAX_SAFE_INTEGER
  return toPage(entriesBefore(db, workspaceId, before, limit + 1, q), limit, listing, row => [row.no], toEntry)
}

/** Every entry, newest first, a chunk in memory at a time; what is posted meanwhile is not among them. */
export function* readLedger(db: Database, workspaceId: string, chunk: number): Generator<LedgerEntry[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = entriesBefore(db, workspaceId, before, chunk)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(toEntry)
    before = last.no
  }
}

function entriesBefore(db: Database, workspaceId: string, before: number, limit: number, q = ''): Row[] {
  const terms = searchTerms(q)
  const found = terms.map(
    ({ isExcluded }) => `and instr(coalesce(r.search, lower(p.note), '') || ' ' || t.kind, ?) ${isExcluded ? '= 0' : '> 0'}`,
  )
  return db
    .prepare(
      `select t.no, t.id, t.created_at, t.kind, f.kind as from_account, o.kind as to_account, t.amount_microusd, t.run_id, t.purchase_id,
       r.name as run_name, p.note from transfers t join accounts f on f.id = t.from_account join accounts o on o.id = t.to_account
       left join runs r on r.id = t.run_id left join purchases p on p.id = t.purchase_id
       where t.workspace_id = ? and t.no < ? ${found.join(' ')} order by t.no desc limit ?`,
    )
    .all(workspaceId, before, ...terms.map(({ text }) => text), limit)
    .map(row => Row.parse(row))
}

function toEntry(row: Row): LedgerEntry {
  const change = Number(walletAccounts.includes(row.to_account)) - Number(walletAccounts.includes(row.from_account))
  return {
    id: row.id,
    posted_at: row.created_at,
    kind: row.kind,
    description: describe(row),
    from_account: row.from_account,
    to_account: row.to_account,
    moved_microusd: String(row.amount_microusd),
    amount_microusd: String(change * row.amount_microusd),
    run_id: row.run_id,
    purchase_id: row.purchase_id,
  }
}

/** Names come first, so that the column says what an entry was for; text of people is theirs, whatever it holds. */
function describe({ kind, run_name, note }: Row): string {
  const subject = run_name ?? note
  const what = { allotment: 'allotment', hold: 'set aside', charge: 'charge', release: 'given back', refund: 'refund', dispute: 'dispute' }[
    kind
  ]
  return subject ? `${subject} (${what})` : what
}
