import { findBaseline } from '../../engine/execution/baselines/baseline-routes.ts'
import type { Connections } from '../connections/index.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'

/** What a quote's model was reached by and no longer exists, as a clause: `connection "x" is disabled`. Null where it is there. */
export function missingEndpoint(
  { kind, route_id: routeId, connection_id: connectionId }: StoredQuote['model'],
  workspaceId: string,
  connections: Pick<Connections, 'find' | 'routes'>,
): string | null {
  if (kind === 'managed') {
    const id = routeId ?? ''
    const isThere = findBaseline(id) || connections.routes(workspaceId).some(({ route }) => route.route_id === id)
    return isThere ? null : `model route "${id}" is gone`
  }
  if (connectionId === null) return null
  const connection = connections.find(workspaceId, connectionId)
  if (!connection) return 'connection is gone'
  return connection.status === 'disabled' ? `connection "${connection.name}" is disabled` : null
}
