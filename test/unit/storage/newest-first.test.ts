import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../../src/contract/errors.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { newestFirst } from '../../../src/storage/newest-first.ts'

let db: Database
const listing = { endpoint: 'listWorkspaces', filters: {} }
const ids = ['a', 'b', 'c', 'd', 'e']

beforeAll(() => {
  db = openDatabase(':memory:')
  migrate(db, new Date(0))
  for (const id of ids) db.run(db.sql.insertInto('workspaces').values({ id, name: id, demo: 0, created_at: '2026-01-01T00:00:00.000Z' }))
})
afterAll(() => db.close())

const page = (by: 'id' | readonly ['workspaces', 'id'], cursor?: string) =>
  newestFirst(db, db.sql.selectFrom('workspaces').selectAll(), by, listing, { cursor, limit: 2 }, ({ name }) => name)

test.each(['id', ['workspaces', 'id']] as const)('walks every row once, the newest first, by %j', by => {
  const pages: string[][] = []
  for (let cursor: string | undefined, isEnd = false; !isEnd; ) {
    const { items, next_cursor } = page(by, cursor)
    pages.push(items)
    cursor = next_cursor ?? undefined
    isEnd = next_cursor === null
  }
  expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']])
})

test('walks numbered rows by their numbers, 10 and 11 before 9, also where the column is computed', () => {
  const numbers = Array.from({ length: 11 }, (_, i) => i + 1)
  const rows = sql<{ no: number }>`(select value + 0 as no from json_each(${JSON.stringify(numbers)}))`.as<'numbered'>('numbered')
  const walked: number[] = []
  let cursor: string | undefined
  for (const _ of numbers) {
    const one = newestFirst(db, db.sql.selectFrom(rows).select('no'), 'no', listing, { cursor, limit: 2 }, ({ no }) => no)
    walked.push(...one.items)
    cursor = one.next_cursor ?? undefined
    if (!cursor) break
  }
  expect(walked).toEqual(numbers.toReversed())
})

test('keeps the conditions of the query', () => {
  const query = db.sql.selectFrom('workspaces').selectAll().where('id', '<', 'c')
  expect(newestFirst(db, query, 'id', listing, { limit: 5 }, ({ id }) => id)).toEqual({ items: ['b', 'a'], next_cursor: null })
})

test('refuses the cursor of another listing', () => {
  const { next_cursor } = page('id')
  const other = () =>
    newestFirst(
      db,
      db.sql.selectFrom('workspaces').selectAll(),
      'id',
      { ...listing, filters: { q: 'x' } },
      { cursor: next_cursor ?? '', limit: 2 },
      ({ id }) => id,
    )
  expect(other).toThrow(ApiError)
})
