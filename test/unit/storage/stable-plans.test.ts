import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { overduePurchases } from '../../../src/service/billing/purchases.store.ts'
import { listTasks } from '../../../src/service/catalog/tasks.store.ts'
import { failuresOf } from '../../../src/service/runs/runs.store.ts'
import { findLive } from '../../../src/service/traces/integrations.store.ts'
import { listTraces } from '../../../src/service/traces/traces.store.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { findSamplePage, type SamplePageQuestion } from '../../../src/storage/reads/sample-page.ts'
import { withStablePlan } from '../../../src/storage/stable-plans.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: Database
beforeAll(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, new Date(0))
})
afterAll(() => {
  db.close()
  folder.remove()
})
afterEach(() => vi.restoreAllMocks())

describe('a statement with a stable plan', () => {
  test.each([
    ['select a from t where b = ? limit ?', 'select a from t where b = +? limit +?'],
    ['select a from t where b in (?1, ?2)', 'select a from t where b in (+?1, +?2)'],
    ['select a from t where b = @name and c > :other', 'select a from t where b = +@name and c > +:other'],
    [`select '?', '@a', 'it''s ?', "a?" from t where b = ?`, `select '?', '@a', 'it''s ?', "a?" from t where b = +?`],
    ['select a -- why?\nfrom t /* or\n? */ where b = ?', 'select a -- why?\nfrom t /* or\n? */ where b = +?'],
  ])('keeps what is no parameter: %s', (sql, stable) => {
    expect(withStablePlan(sql)).toBe(stable)
  })

  test('gives back values of every type as they were bound', () => {
    const row = db.prepare('select ? as text, ? as number, ? as digits, ? as bytes, ? as none')
    expect(row.get('a', 1.5, '007', Buffer.from([0, 255]), null)).toEqual({
      text: 'a',
      number: 1.5,
      digits: '007',
      bytes: Buffer.from([0, 255]),
      none: null,
    })
  })

  test.each([
    'select s.id, p.name from sessions s join people p on p.id = s.person_id where s.token_hash = ?',
    'select no from runs where status = ? order by id limit 1',
    'select no from runs where part_of = 1 limit ?',
  ])('is compiled once, whatever it is asked: %s', sql => {
    const statement = db.prepare(sql)
    statement.all(0)
    // better-sqlite3 makes the function that builds a statement's rows with this, once for each time that SQLite compiled it.
    const compiled = vi.spyOn(globalThis, 'Function')
    for (const value of [1, 0, 2, 'a', null]) statement.all(typeof value === 'number' || !sql.endsWith('limit ?') ? value : 3)
    expect(compiled).not.toHaveBeenCalled()
  })
})

describe('an index of some rows only', () => {
  /** Texts of the statements that `read` prepares, which need not find anything. */
  function statementsOf(read: (db: Database) => unknown): string[] {
    const texts: string[] = []
    const noted: Database = {
      ...db,
      all: query => {
        texts.push(query.compile().sql)
        return db.all(query)
      },
      first: query => {
        texts.push(query.compile().sql)
        return db.first(query)
      },
      prepare: sql => {
        texts.push(sql)
        return db.prepare(sql)
      },
    }
    read(noted)
    return texts
  }

  const samples: SamplePageQuestion = {
    runNo: 1,
    status: 'failed',
    profileNo: null,
    passed: null,
    q: '',
    column: 'position',
    descending: false,
    after: null,
    limit: 50,
    verdict: null,
    capability: null,
    part: null,
    error: null,
    annotated: { tag: null, bookmarked: null, noted: null },
    places: { from: null, to: null },
    latencyMs: { from: null, to: null },
    outputTokens: { from: null, to: null },
    offset: 0,
    counted: true,
  }
  const integration = { workspaceId: 'w', provider: 'langfuse', baseUrl: 'http://127.0.0.1', project: { id: 'p', name: 'p' } } as const

  test.each<[string, (db: Database) => unknown]>([
    ['samples_failed', db => failuresOf(db, 1)],
    ['samples_failed', db => findSamplePage(db, samples)],
    ['tasks_canonical', db => listTasks(db, { no: 1, source_ref: '' }, { limit: 20, offset: 0, q: '', split: 'canonical' })],
    ['purchases_open', db => overduePurchases(db, '2026-11-26T00:00:00.000Z')],
    ['trace_integrations_live', db => findLive(db, integration)],
    ['traces_with_errors', db => listTraces(db, 'w', { limit: 20, q: '', has_error: true })],
  ])('is used by what asks for those: %s', (index, read) => {
    const plans = statementsOf(read).flatMap(sql => db.prepare(`explain query plan ${sql}`).all(...nulls(sql)))
    expect(JSON.stringify(plans)).toContain(index)
  })

  /** For each parameter of a statement: a plan does not depend on their values. */
  function nulls(sql: string): null[] {
    return Array.from({ length: sql.split('?').length - 1 }, () => null)
  }
})
