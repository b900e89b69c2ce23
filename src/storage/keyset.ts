import { createHash } from 'node:crypto'
import { ApiError } from '../contract/errors.ts'

/** Place in a sorted listing: the sort key's value, then the tie-breaker. */
export type Position = readonly (string | number | null)[]

/** Binds a cursor to its endpoint and filters, so that it works for no other. */
export interface Listing {
  readonly endpoint: string
  readonly filters: Readonly<Record<string, unknown>>
}

const invalid = () =>
  new ApiError('invalid_cursor', 'The cursor was not issued here or belongs to other filters. Start again without a cursor.')

/** Short fingerprint of endpoint and filters. */
function binding(listing: Listing): string {
  const entries = Object.entries(listing.filters).filter(([, value]) => value !== undefined)
  const canonical = JSON.stringify([listing.endpoint, ...entries.sort(([a], [b]) => (a < b ? -1 : 1))])
  return createHash('sha256').update(canonical).digest('base64url').slice(0, 16)
}

export function encodeCursor(listing: Listing, position: Position): string {
  return Buffer.from(JSON.stringify([binding(listing), ...position])).toString('base64url')
}

/** The position to continue after. @throws ApiError invalid_cursor for a cursor that this listing did not issue */
export function decodeCursor(listing: Listing, cursor: string, length: number): Position {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw invalid()
  }
  if (!Array.isArray(parsed) || parsed.length !== length + 1 || parsed[0] !== binding(listing)) throw invalid()
  const position: Position = parsed.slice(1)
  if (!position.every(part => part === null || typeof part === 'string' || typeof part === 'number')) throw invalid()
  return position
}

/** Turns `limit + 1` rows into a page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  listing: Listing,
  positionOf: (row: Row) => Position,
  toItem: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? encodeCursor(listing, positionOf(last)) : null
  return { items: shown.map(toItem), next_cursor: next }
}

export interface PageQuery {
  readonly cursor?: string | undefined
  readonly limit: number
}
