import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { doctor } from '../../../src/headless/doctor.ts'
import { chargeAttempt, holdForRun, openAccounts, releaseRest } from '../../../src/service/billing/index.ts'
import { post } from '../../../src/service/billing/ledger.store.ts'
import { examine } from '../../../src/service/doctor/index.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { everySandbox } from '../../support/sandbox-scope.ts'
import { temporaryFolder } from '../../support/service.ts'

const at = '2026-11-20T09:30:00.000Z'
let folder: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  folder = temporaryFolder()
  withDatabase(db => {
    migrate(db, new Date(at))
    fill(db)
  })
})
afterEach(() => folder.remove())

function withDatabase(work: (db: Database) => void): void {
  const db = openDatabase(join(folder.path, 'assay.db'))
  try {
    work(db)
  } finally {
    db.close()
  }
}

/** A workspace with a paid purchase, one run that ended and one that goes on, each of two samples. */
function fill(db: Database): void {
  let id = 0
  db.transaction(() => {
    db.prepare('insert into workspaces values (?, ?, ?)').run('w', 'W', at)
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

const look = (backup = false) => examine({ dataDir: folder.path, backup, now: new Date(at) })
const faulty = () => look().findings.filter(finding => finding.faults.length > 0)

describe('examining', () => {
  test('finds nothing wrong with a sound database', () => {
    expect(look().findings.length).toBeGreaterThan(10)
    expect(faulty()).toEqual([])
  })

  test.each([
    ['accounts hold what was transferred', `update accounts set balance_microusd = balance_microusd + 1 where kind = 'budget'`],
    ['the accounts of a workspace add up to 0', `update accounts set balance_microusd = balance_microusd + 1 where kind = 'spent'`],
    ['what is held is what open runs hold', `update runs set held_microusd = 90 where id = 'open'`],
    ['runs are charged what their attempts cost', `update attempts set charged_microusd = 31 where run_no = 1`],
    ['runs are charged what their attempts cost', `update runs set charged_microusd = 31 where id = 'ended'`],
    ['purchases are in the ledger', `update purchases set amount_microusd = 999`],
    ['purchases are in the ledger', `update purchases set returned_microusd = 1, status = 'refunded'`],
    ['runs count their samples', `update run_counts set n = 3 where run_no = 1`],
    ['runs count their samples', `delete from run_counts where run_no = 2 and status = 'pending'`],
    ['runs count their samples', `insert into run_counts values (1, 'failed', 1)`],
    ['runs have every sample that was frozen', `update runs set frozen = 3 where no = 1`],
    ['scored samples have scores', `delete from scores where run_no = 1 and position = 1`],
    ['runs that ended are settled, with no sample left open', `update runs set accounting_state = 'metering' where id = 'ended'`],
    ['runs that ended are settled, with no sample left open', `update samples set status = 'pending' where run_no = 1 and position = 1`],
    ['references lead somewhere', `insert into members values ('nowhere', 'nobody', 'owner', '')`],
  ])('finds when not: %s', (check, sql) => {
    withDatabase(db => {
      db.pragma('foreign_keys = off')
      db.prepare(sql).run()
    })
    expect(faulty().map(finding => finding.check)).toContain(check)
  })

  test('finds damage to the file itself', () => {
    let offset = 0
    withDatabase(db => {
      const rows = db
        .prepare(`select (rootpage - 1) * page_size as offset from sqlite_master, pragma_page_size where name = 'transfers_workspace'`)
        .all()
      offset = z.tuple([z.object({ offset: z.int().positive() })]).parse(rows)[0].offset
      db.pragma('wal_checkpoint(truncate)')
    })
    const file = openSync(join(folder.path, 'assay.db'), 'r+')
    writeSync(file, Buffer.alloc(512, 0x5a), 0, 512, offset)
    closeSync(file)
    expect(faulty()[0]?.check).toBe('pages and indexes are sound')
  })

  test('looks at no database of another version', () => {
    withDatabase(db => db.pragma('user_version = 1'))
    expect(look().findings).toEqual([
      { check: 'the schema is this version’s', faults: [expect.stringContaining('brings the schema up to date')] },
    ])
  })

  test('goes on while a service works on the database, and changes nothing', () => {
    const db = openDatabase(join(folder.path, 'assay.db'))
    db.prepare('begin immediate').run()
    db.prepare(`update accounts set balance_microusd = 7`).run()
    expect(faulty()).toEqual([])
    db.prepare('rollback').run()
    db.close()
  })
})

describe('the command', () => {
  const run = async (...args: string[]) => {
    const lines: string[] = []
    const write = (line: string) => void lines.push(line)
    const spies = [vi.spyOn(console, 'log').mockImplementation(write), vi.spyOn(console, 'error').mockImplementation(write)]
    const code = await doctor(args)
    for (const spy of spies) spy.mockRestore()
    return { code, text: lines.join('\n') }
  }

  test('prints a line per check and answers 0, with a backup that is sound', async () => {
    const { code, text } = await run('--data-dir', folder.path, '--backup')
    expect(code).toBe(0)
    expect(text).toMatch(/^ok {5}the schema/)
    expect(text).not.toContain('FAULT')
    const backup = /Backup: (.*)$/.exec(text)?.[1] ?? ''
    const restored = join(folder.path, 'restored')
    mkdirSync(restored)
    const copy = openDatabase(backup, { readonly: true })
    copy.prepare('vacuum into ?').run(join(restored, 'assay.db'))
    copy.close()
    expect(examine({ dataDir: restored, backup: false, now: new Date(at) }).findings.every(finding => finding.faults.length === 0)).toBe(
      true,
    )
  })

  test('answers 1 on a fault, names it and makes no backup', async () => {
    withDatabase(db => db.prepare(`update run_counts set n = n + 1`).run())
    const { code, text } = await run('--data-dir', folder.path, '--backup')
    expect(code).toBe(1)
    expect(text).toContain('FAULT  runs count their samples')
    expect(text).toContain('No backup was made')
    expect(text).not.toContain('Backup:')
  })

  test('answers 1 where there is no database, or what is there is none', async () => {
    expect(await run('--data-dir', join(folder.path, 'nowhere'))).toMatchObject({
      code: 1,
      text: expect.stringContaining('There is no database'),
    })
    const other = join(folder.path, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'assay.db'), 'not a database, and long enough to be read as a header of one '.repeat(20))
    expect((await run('--data-dir', other)).code).toBe(1)
  })

  test.runIf(everySandbox)(
    'tries the sandboxes and says what each protects against (in npm run test:sandbox)',
    { timeout: 180_000 },
    async () => {
      const { code, text } = await run('--sandbox')
      expect(text).toMatch(/Linux namespaces with the system’s Python\n/)
      expect(text).toMatch(/ok {5}Python in WebAssembly\n {7}All \d+ probes are refused\. The code runs in WebAssembly/)
      expect(text).toMatch(/Model-written code runs in: (linux|portable)$/)
      expect(code).toBe(0)
    },
  )
})
