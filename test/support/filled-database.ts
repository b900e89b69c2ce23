import { holdForRun, openAccounts, releaseRest } from '../../src/service/billing/index.ts'
import { chargeAttempt, post } from '../../src/storage/billing/transfers.store.ts'
import type { Database } from '../../src/storage/database.ts'

export const filledAt = '2026-11-20T09:30:00.000Z'
const at = filledAt

/** A workspace with a paid purchase, one run that ended and one that goes on, each of two samples. */
export function fillDatabase(db: Database): void {
  let id = 0
  db.transaction(() => {
    db.prepare('insert into workspaces (id, name, created_at) values (?, ?, ?)').run('w', 'W', at)
    openAccounts(db, 'w', () => `account-${id++}`)
    db.prepare(
      `insert into purchases (id, workspace_id, status, amount_microusd, note, created_at, expires_at, paid_at, receipt_no) values ('p', 'w', 'paid', 1000, '', ?, ?, ?, 1)`,
    ).run(at, at, at)
    post(db, { id: 'allotment:p', workspaceId: 'w', from: 'funding', to: 'budget', amount: 1000n, kind: 'allotment', purchaseId: 'p', at })
    db.prepare(`insert into quotes values ('q', 'w', ?, ?, '{}', x'00')`).run(at, at)
    for (const [no, name, ended] of [
      [1, 'ended', true],
      [2, 'open', false],
    ] as const) {
      const money = { workspaceId: 'w', runId: name, at }
      db.prepare(
        `insert into runs (no, id, workspace_id, quote_id, principal_id, name, status, accounting_state, frozen, max_charge_microusd, held_microusd, charged_microusd, search, created_at)
         values (?, ?, 'w', 'q', 'x', ?, ?, ?, 2, 100, ?, 30, '', ?)`,
      ).run(no, name, name, ended ? 'complete' : 'running', ended ? 'settled' : 'metering', ended ? 0 : 100, at)
      const insertSample = db.prepare(
        `insert into samples (run_no, position, profile_no, task_no, epoch, status) values (?, ?, 0, 1, 1, ?)`,
      )
      for (const position of [0, 1]) insertSample.run(no, position, ended || position === 0 ? 'scored' : 'pending')
      db.prepare(`insert into run_counts select run_no, status, count(*) from samples where run_no = ? group by status`).run(no)
      db.prepare(
        `insert into attempts (run_no, position, number, status, started_at, charged_microusd) values (?, 0, 1, 'answered', 1, 30)`,
      ).run(no)
      db.prepare(
        `insert into scores (run_no, position, metric_no, version, value, class, explanation) select run_no, position, 0, 1, 1, 'c', '' from samples where run_no = ? and status = 'scored'`,
      ).run(no)
      holdForRun(db, { ...money, amount: 100n })
      chargeAttempt(db, { ...money, amount: 30n }, 0, 1)
      if (ended) releaseRest(db, { ...money, amount: 70n })
    }
  })
}
