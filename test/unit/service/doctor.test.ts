import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { doctor } from '../../../src/headless/doctor.ts'
import { examine } from '../../../src/service/doctor/index.ts'
import { markDeleted, purgeRows } from '../../../src/service/runs/delete-run.store.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { filledAt as at, fillDatabase } from '../../support/filled-database.ts'
import { everySandbox } from '../../support/sandbox-scope.ts'
import { takePrinted } from '../../support/printed.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  folder = temporaryFolder()
  withDatabase(db => {
    migrate(db, new Date(at))
    fillDatabase(db)
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

  test('finds nothing wrong with a paid run at any point of its deletion', () => {
    let rest = true
    withDatabase(db => markDeleted(db, 1, at))
    for (let i = 0; rest; i++) {
      withDatabase(db => {
        rest = purgeRows(db, 1, 1)
      })
      expect([i, faulty()]).toEqual([i, []])
    }
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

  test('works beside a running service and changes nothing', () => {
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
    const printed = takePrinted()
    const code = await doctor(args)
    printed.restore()
    return { code, text: printed.text().trimEnd() }
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

  test('answers in JSON with --json', async () => {
    const { code, text } = await run('--data-dir', folder.path, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(text)).toEqual({ findings: look().findings, backup: null })
    expect(JSON.parse((await run('--data-dir', join(folder.path, 'none'), '--json')).text)).toMatchObject({ error: { code: 'error' } })
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

  test.runIf(everySandbox)('tries the sandboxes and says what each protects against (in npm run test:sandbox)', async () => {
    const { code, text } = await run('--sandbox')
    expect(text).toMatch(/Linux namespaces with the system’s Python\n/)
    expect(text).toMatch(/ok {5}Python in WebAssembly\n {7}All \d+ probes are refused\. The code runs in WebAssembly/)
    expect(text).toMatch(/Model-written Python runs in: (linux|portable)\nModel-written JavaScript runs in: quickjs$/)
    expect(code).toBe(0)
  })
})
