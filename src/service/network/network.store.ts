import type { NetworkHost } from '../../contract/network/network.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type PageQuery, toPage } from '../../storage/keyset.ts'

export const mostCounted = Number.MAX_SAFE_INTEGER
/** Servers of a workspace with a row of their own: a worker may report any. */
export const mostOrigins = 2_000
export const otherOrigins = 'others'

export type NetworkTotals = NetworkHost & { readonly workspaceId: string }

/** Adds what was exchanged to what is stored; a total stays at the largest number that every reader can hold. */
export function addTotals(db: Database, totals: readonly NetworkTotals[]): void {
  const add = db.prepare(
    `insert into network_hosts (workspace_id, origin, requests, sent_bytes, received_bytes, proxy, first_at, last_at) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (workspace_id, origin) do update set requests = min(requests + excluded.requests, ${mostCounted}),
       sent_bytes = min(sent_bytes + excluded.sent_bytes, ${mostCounted}), received_bytes = min(received_bytes + excluded.received_bytes, ${mostCounted}),
       proxy = excluded.proxy, last_at = max(last_at, excluded.last_at)`,
  )
  const isKnown = db.prepare('select 1 from network_hosts where workspace_id = ? and origin = ?').pluck()
  const count = db.prepare('select count(*) from network_hosts where workspace_id = ?').pluck()
  const rowOf = (workspaceId: string, origin: string) =>
    isKnown.get(workspaceId, origin) === undefined && Number(count.get(workspaceId)) >= mostOrigins ? otherOrigins : origin
  db.transaction(() => {
    for (const { workspaceId, origin, requests, sent_bytes, received_bytes, proxy, first_at, last_at } of totals)
      add.run(workspaceId, rowOf(workspaceId, origin), requests, sent_bytes, received_bytes, proxy, first_at, last_at)
  })
}

export function listHosts(
  db: Database,
  workspaceId: string,
  { cursor, limit }: PageQuery,
): { items: NetworkHost[]; next_cursor: string | null } {
  const listing = { endpoint: 'network-log', filters: { workspaceId } }
  const [after] = cursor === undefined ? [''] : decodeCursor(listing, cursor, 1)
  const rows = db.all(
    db.sql
      .selectFrom('network_hosts')
      .select(['origin', 'requests', 'sent_bytes', 'received_bytes', 'proxy', 'first_at', 'last_at'])
      .where('workspace_id', '=', workspaceId)
      .where('origin', '>', String(after))
      .orderBy('origin')
      .limit(limit + 1),
  )
  return toPage(
    rows,
    limit,
    listing,
    row => [row.origin],
    row => row,
  )
}
