import type { connectionsEndpoints } from '../../contract/connections/connections.endpoints.ts'
import { requireLimitSetter, requireRole } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { connectionPresets } from './presets.ts'
import type { Connections } from './connections.service.ts'

export function connectionsHandlers(connections: Connections): Handlers<typeof connectionsEndpoints> {
  return {
    listConnections: ({ workspaceId }, { query }) => connections.list(workspaceId, query),
    createConnection: (asker, { body }) => connections.create(asker, body),
    listConnectionPresets: () => connectionPresets(),
    discoverRuntimes: ({ workspaceId, signal }, { query }) => connections.discover(workspaceId, query.port, signal),
    setLocalRouteRates: ({ workspaceId, workspace, principal }, { body }) => {
      requireLimitSetter({ principal, workspace }, 'setLocalRouteRates.rates')
      requireRole(principal, workspace, ['owner'], 'state what a local model costs')
      return connections.setLocalRates(workspaceId, body.route_id, body.rates)
    },
    updateConnection: (asker, { params, body }) => connections.update(asker, params.connection_id, body),
    checkConnection: (asker, { params }) => connections.check(asker, params.connection_id, asker.signal),
    listEndpointModels: (asker, { body }) => connections.listEndpointModels(asker, body, asker.signal),
    tryConnection: ({ workspaceId, workspace, principal, signal }, { params, body }) => {
      requireRole(principal, workspace, ['owner', 'admin', 'member'], 'try a prompt, since no spending limit of a key counts it')
      return connections.tryPrompt(workspaceId, params.connection_id, body, signal)
    },
    disableConnection: ({ workspaceId }, { params }) => {
      connections.disable(workspaceId, params.connection_id)
      return { ok: true as const }
    },
  }
}
