import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/contract/errors.ts'
import { balanceOf, holdForRun, openAccounts, releaseRest } from '../../../src/service/billing/ledger.store.ts'
import { chargeAttempt, post } from '../../../src/storage/billing/transfers.store.ts'
import { listLedger, readWallet } from '../../../src/service/billing/ledger-entries.store.ts'
import { checks } from '../../../src/service/doctor/checks.store.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../support/service.ts'

const at = '2026-11-20T09:30:00.000Z'
let folder: ReturnType<typeof temporaryFolder>
let db: Database
let files = 0

const open = (name: string) => openDatabase(join(folder.path, name))

/** An empty ledger of two workspaces; migrated once and copied for each use. */
function fresh(): string {
  const name = `${files++}.db`
  copyFileSync(join(folder.path, 'template.db'), join(folder.path, name))
  db = open(name)
  return name
}

beforeEach(() => {
  folder = temporaryFolder()
  const template = open('template.db')
  migrate(template, new Date(at))
  template.transaction(() => {
    for (const id of ['w', 'bystander']) {
      template.prepare('insert into workspaces (id, name, created_at) values (?, ?, ?)').run(id, id, at)
      let n = 0
      openAccounts(template, id, () => `${id}-${n++}`)
    }
    for (let i = 0; i < purchases; i++) {
      template
        .prepare(
          `insert into purchases (id, workspace_id, status, amount_microusd, note, created_at, expires_at) values (?, 'w', 'open', 1, '', ?, ?)`,
        )
        .run(`p${i}`, at, at)
    }
  })
  template.close()
})
afterEach(() => folder.remove())

const runs = 4
const purchases = 4

/** What the ledger is asked to do; `crash` says that the process ends before the transaction is committed. */
type Operation =
  | { readonly do: 'allot' | 'refund'; readonly purchase: number; readonly amount: bigint; readonly crash: boolean }
  | { readonly do: 'hold' | 'settle'; readonly run: number; readonly amount: bigint; readonly crash: boolean }
  | { readonly do: 'charge'; readonly run: number; readonly attempt: number; readonly amount: bigint; readonly crash: boolean }
  | { readonly do: 'restart' }

const amount = fc.bigInt({ min: 0n, max: 10_000n })
const run = fc.nat(runs - 1)
const crash = fc.integer({ min: 0, max: 4 }).map(n => n === 0)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ do: fc.constantFrom('allot' as const, 'refund' as const), purchase: fc.nat(purchases - 1), amount, crash }),
  fc.record({ do: fc.constantFrom('hold' as const, 'settle' as const), run, amount, crash }),
  fc.record({ do: fc.constant('charge' as const), run, attempt: fc.nat(5), amount, crash }),
  fc.record({ do: fc.constant('restart' as const) }),
)

/** The same in memory, as plainly as it can be said. */
interface Model {
  available: bigint
  readonly held: Map<number, bigint>
  spent: bigint
  /** Business events that have been posted; each counts once. */
  readonly events: Set<string>
  readonly settled: Set<number>
}

class Crash extends Error {}

function money(runNo: number, sum: bigint) {
  return { workspaceId: 'w', runId: `run${runNo}`, amount: sum, at }
}

/** Does it to the ledger. */
function execute(op: Exclude<Operation, { do: 'restart' }>, model: Model): void {
  db.transaction(() => {
    if (op.do === 'allot')
      post(db, {
        id: `allotment:p${op.purchase}`,
        workspaceId: 'w',
        from: 'funding',
        to: 'budget',
        amount: op.amount,
        kind: 'allotment',
        purchaseId: `p${op.purchase}`,
        at,
      })
    else if (op.do === 'refund') {
      const available = balanceOf(db, 'w', 'budget')
      const returned = op.amount < available ? op.amount : available
      post(db, {
        id: `refund:p${op.purchase}`,
        workspaceId: 'w',
        from: 'budget',
        to: 'funding',
        amount: returned > 0n ? returned : 0n,
        kind: 'refund',
        purchaseId: `p${op.purchase}`,
        at,
      })
    } else if (op.do === 'hold') holdForRun(db, money(op.run, op.amount))
    else if (op.do === 'charge') chargeAttempt(db, money(op.run, op.amount), 0, op.attempt)
    else if (op.do === 'settle') releaseRest(db, money(op.run, model.held.get(op.run) ?? 0n))
    if (op.crash) throw new Crash()
  })
}

/** Does it to the model; says whether the ledger must take it. */
function expected(op: Exclude<Operation, { do: 'restart' }>, model: Model): boolean {
  const once = (event: string, sum: bigint, effect: () => void) => {
    if (sum === 0n || model.events.has(event)) return
    model.events.add(event)
    effect()
  }
  const move = (runNo: number, sum: bigint) => model.held.set(runNo, (model.held.get(runNo) ?? 0n) + sum)
  switch (op.do) {
    case 'allot':
      once(`allot${op.purchase}`, op.amount, () => (model.available += op.amount))
      return true
    case 'refund': {
      const returned = op.amount < model.available ? op.amount : model.available
      if (returned > 0n) once(`refund${op.purchase}`, returned, () => (model.available -= returned))
      return true
    }
    case 'hold':
      if (op.amount > model.available) return false
      once(`hold${op.run}`, op.amount, () => {
        model.available -= op.amount
        move(op.run, op.amount)
      })
      return true
    case 'charge':
      once(`charge${op.run}:${op.attempt}`, op.amount, () => {
        move(op.run, -op.amount)
        model.spent += op.amount
      })
      return true
    case 'settle': {
      const rest = model.held.get(op.run) ?? 0n
      model.available += rest
      model.held.set(op.run, 0n)
      model.settled.add(op.run)
      return true
    }
  }
}

/** A run is held before it is charged, and settled once, after its last charge: the service sees to that, not the ledger. */
function sensible(op: Operation, model: Model): boolean {
  if (op.do === 'charge') return model.events.has(`hold${op.run}`) && !model.settled.has(op.run)
  if (op.do === 'hold' || op.do === 'settle') return !model.settled.has(op.run)
  return true
}

const ledgerChecks = checks.filter(
  ({ name }) => name.startsWith('account') || name.includes('add up to 0') || name.startsWith('pages') || name.startsWith('references'),
)

function compare(model: Model): void {
  const held = [...model.held.values()].reduce((sum, part) => sum + part, 0n)
  expect(readWallet(db, 'w')).toEqual({
    balance_microusd: String(model.available + held),
    held_microusd: String(held),
    available_microusd: String(model.available),
    spent_microusd: String(model.spent),
  })
  const entries = listLedger(db, 'w', { limit: 1000, q: '' }).items
  expect(entries.reduce((sum, entry) => sum + BigInt(entry.amount_microusd), 0n)).toBe(model.available + held)
  expect(readWallet(db, 'bystander').balance_microusd).toBe('0')
}

describe('the ledger', () => {
  test('balances after any operations and crashes, and posts every event once', () => {
    expect(ledgerChecks).toHaveLength(4)
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), operations => {
        const name = fresh()
        const model: Model = { available: 0n, held: new Map(), spent: 0n, events: new Set(), settled: new Set() }
        try {
          for (const op of operations) {
            if (op.do === 'restart') {
              db.close()
              db = open(name)
              continue
            }
            if (!sensible(op, model)) continue
            const before = structuredClone(model)
            let refused = false
            try {
              execute(op, before)
            } catch (error) {
              if (error instanceof Crash) {
                // What was not committed has never been: the connection goes and another takes up the file.
                db.close()
                db = open(name)
                compare(before)
                continue
              }
              if (!(error instanceof ApiError)) throw error
              refused = true
            }
            expect(expected(op, model)).toBe(!refused)
            compare(model)
          }
          for (const check of ledgerChecks)
            expect({ check: check.name, faults: check.faults(db) }).toEqual({ check: check.name, faults: [] })
        } finally {
          db.close()
        }
      }),
      { numRuns: 60 },
    )
  })

  test('refuses a hold beyond what is available with 402, and takes one of all there is', () => {
    fresh()
    post(db, { id: 'a', workspaceId: 'w', from: 'funding', to: 'budget', amount: 10n, kind: 'allotment', at })
    expect(() => holdForRun(db, money(1, 11n))).toThrow(expect.objectContaining({ code: 'insufficient_credit', status: 402 }))
    holdForRun(db, money(1, 10n))
    expect(() => holdForRun(db, money(2, 1n))).toThrow(expect.objectContaining({ code: 'insufficient_credit' }))
    db.close()
  })

  test('pays what calls in flight cost beyond a hold from the budget, not from another run’s hold', () => {
    fresh()
    post(db, { id: 'a', workspaceId: 'w', from: 'funding', to: 'budget', amount: 100n, kind: 'allotment', at })
    holdForRun(db, money(1, 10n))
    holdForRun(db, money(2, 10n))
    chargeAttempt(db, money(1, 13n), 0, 1)
    releaseRest(db, money(1, -3n))
    expect(readWallet(db, 'w')).toEqual({ balance_microusd: '87', held_microusd: '10', available_microusd: '77', spent_microusd: '13' })
    db.close()
  })

  test('is append-only', () => {
    fresh()
    post(db, { id: 'a', workspaceId: 'w', from: 'funding', to: 'budget', amount: 10n, kind: 'allotment', at })
    expect(() => db.prepare('update transfers set amount_microusd = 11').run()).toThrow('append-only')
    expect(() => db.prepare('delete from transfers').run()).toThrow('append-only')
    db.close()
  })
})
