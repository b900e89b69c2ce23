import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from './keyset.ts'

/**
 * A page of a query that is not sorted yet, the newest first.
 * @param by what its rows are unique by, with the name of its table where several have one
 */
export function newestFirst<DB, TB extends keyof DB, Key extends 'id' | 'no', Row extends Readonly<Record<Key, string | number>>, Item>(
  db: Pick<Database, 'all'>,
  query: SelectQueryBuilder<DB, TB, Row>,
  by: Key | readonly [table: string, key: Key],
  listing: Listing,
  { cursor, limit }: PageQuery,
  toItem: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  const key = typeof by === 'string' ? by : by[1]
  const column = sql.ref<string | number>(typeof by === 'string' ? by : by.join('.'))
  const sorted = query.orderBy(column, 'desc').limit(limit + 1)
  const place = cursor ? decodeCursor(listing, cursor, 1)[0] : undefined
  const rows = db.all(place === undefined ? sorted : sorted.where(column, '<', key === 'no' ? Number(place) : String(place)))
  return toPage(rows, limit, listing, row => [row[key]], toItem)
}
