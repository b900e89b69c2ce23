import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openJobs, runningJobs, waitingJobs } from '../../../src/service/jobs/jobs.store.ts'
import { markPaid } from '../../../src/service/billing/purchases.store.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'

const { prepare } = Sqlite.prototype
let db: Database
let asked: string[]

beforeAll(() => {
  db = openDatabase(':memory:')
  migrate(db, new Date(0))
})
beforeEach(() => {
  asked = []
  Sqlite.prototype.prepare = function noted(this: Sqlite.Database, ...args: Parameters<typeof prepare>) {
    asked.push(args[0])
    return prepare.apply(this, args)
  } as typeof prepare // the same but for the note; its overloads cannot be repeated
})
afterEach(() => {
  Sqlite.prototype.prepare = prepare
})
afterAll(() => db.close())

/** How SQLite finds the rows of each statement that was prepared. */
function plans(): string[] {
  return asked
    .filter(sql => !sql.startsWith('explain'))
    .flatMap(sql => {
      const statement = db.prepare(`explain query plan ${sql}`)
      const values = [...sql.matchAll(/\?/g)].map(() => null)
      return statement.all(...values).map(row => String(Object.values(Object(row)).at(-1)))
    })
}

describe('what is asked at each wake-up reads no history', () => {
  test.each([
    ['jobs that wait', () => waitingJobs(db, ['backup', 'calibration'], ['x'], true)],
    ['jobs of a kind that have not ended', () => openJobs(db, 'backup')],
    ['jobs that run', () => runningJobs(db)],
  ])('%s', (_, ask) => {
    ask()
    const found = plans()
    expect(found.join()).toContain('jobs_open')
    expect(found.filter(detail => detail.startsWith('SCAN') && !detail.includes('jobs_open'))).toEqual([])
  })

  test('the next number of a receipt', () => {
    markPaid(db, { id: 'p', workspace_id: 'w' } as Parameters<typeof markPaid>[1], '') // of which it reads only these
    expect(plans()[0]).toMatch(/^SEARCH purchases USING COVERING INDEX purchases_receipt/)
  })

  test('a statement without its index would be found', () => {
    db.prepare('select id from jobs where attempt = ?').all(1)
    expect(plans().some(detail => detail.startsWith('SCAN jobs'))).toBe(true)
  })
})
