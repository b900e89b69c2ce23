import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
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
    [
      'select `a?`, [b ?], "c""?", a$b, é$x from t where b = :é and c = $1',
      'select `a?`, [b ?], "c""?", a$b, é$x from t where b = +:é and c = +$1',
    ],
    ['select a -- why?\nfrom t /* or\n? */ where b = ?', 'select a -- why?\nfrom t /* or\n? */ where b = +?'],
  ])('keeps what is no parameter: %s', (sql, stable) => {
    expect(withStablePlan(sql)).toBe(stable)
  })

  test.each([
    'select id from loose where words = ?',
    'select id from loose where number = ?',
    'select id from loose where real = ?',
    'select id from loose where any_value = ?',
    'select id from firm where words = ? or number is ?',
    "select id from firm where number in (?, 7, '8') or words in (?)",
    'select id from loose where number between ? and ?',
    'select id from loose where (words, number) >= (?, ?)',
    'select id from loose where words like ? or words glob ?',
    'select id from loose where words = ? collate nocase',
    'select id from loose where (id + ?) = number',
    'select id from loose where json ->> ? = words or json -> ? is not null',
    'select id, ? as given, typeof(?) as type from loose order by ?, id',
    'select value from json_each(json_array(?, ?))',
    'select case ? when words then 1 when number then 2 end as which from loose',
    'select coalesce(?, words) as first, max(?, number) as largest, -? as less from loose',
    'select count(*) as n from loose group by ifnull(?, number)',
    'select id from loose where exists (select 1 from firm where firm.number = ? and firm.words is not ?)',
    'insert into loose (words, number, real, any_value) values (?, ?, ?, ?) returning *',
    'update loose set words = ?, number = ?, any_value = ? where id = 1 returning *',
  ])('answers as it would without: %s', sql => {
    const raw = new Sqlite(':memory:')
    raw.exec(`
      create table loose (id integer primary key, words text, number integer, real real, any_value, json text default '{"a": "7"}');
      create table firm (id integer primary key, words text, number integer) strict;
      create index loose_words on loose (words); create index loose_number on loose (number);
      insert into loose (words, number, real, any_value) values
        ('7', 7, 7.0, '7'), ('007', 8, 0.5, 7), ('Abc', -1, -1.5, x'37'), (null, null, null, null), ('9007199254740993', 9007199254740993, 1e300, 1.0);
      insert into firm (words, number) select words, number from loose;
    `)
    const digits = 9007199254740993n
    const values = [
      7,
      7n,
      7.5,
      '7',
      '007',
      '7.0',
      'abc',
      'A%',
      'a',
      '$.a',
      '',
      0,
      1,
      -1,
      null,
      digits,
      digits.toString(),
      '2026-11-26T00:00:00.000Z',
    ]
    const answersOf = (text: string) => {
      const statement = raw.prepare<unknown[], unknown>(text).safeIntegers()
      const parameters = text.split('?').length - 1
      return [...values, Buffer.from('7')].map(value => {
        const bound = Array<unknown>(parameters).fill(value)
        raw.exec('savepoint before')
        try {
          return statement.all(...bound)
        } catch (error) {
          return String(error)
        } finally {
          raw.exec('rollback to before; release before')
        }
      })
    }
    expect(withStablePlan(sql)).not.toBe(sql)
    expect(answersOf(withStablePlan(sql))).toEqual(answersOf(sql))
    raw.close()
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
    match: 'words',
    column: 'position',
    descending: false,
    after: null,
    limit: 50,
    verdict: null,
    capability: null,
    part: null,
    error: null,
    group: null,
    annotated: { tag: null, bookmarked: null, noted: null },
    places: { from: null, to: null },
    latencyMs: { from: null, to: null },
    outputTokens: { from: null, to: null },
    offset: 0,
    counted: true,
    locate: null,
  }
  const integration = { workspaceId: 'w', provider: 'langfuse', baseUrl: 'http://127.0.0.1', project: { id: 'p', name: 'p' } } as const

  test.each<[string, (db: Database) => unknown]>([
    ['samples_failed', db => failuresOf(db, 1)],
    ['samples_failed', db => findSamplePage(db, samples)],
    ['tasks_canonical', db => listTasks(db, { no: 1, source_ref: '' }, { limit: 20, offset: 0, split: 'canonical' }, null)],
    ['purchases_open', db => overduePurchases(db, '2026-11-26T00:00:00.000Z')],
    ['trace_integrations_live', db => findLive(db, integration)],
    [
      'traces_with_errors',
      db => listTraces(db, () => Promise.resolve([]), 'w', { limit: 20, q: '', match: 'words', has_error: true, archived: 'any' }),
    ],
  ])('is used by what asks for those: %s', (index, read) => {
    const plans = statementsOf(read).flatMap(sql => db.prepare(`explain query plan ${sql}`).all(...nulls(sql)))
    expect(JSON.stringify(plans)).toContain(index)
  })

  /** For each parameter of a statement: a plan does not depend on their values. */
  function nulls(sql: string): null[] {
    return Array.from({ length: sql.split('?').length - 1 }, () => null)
  }
})
