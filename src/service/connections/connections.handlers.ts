import type { connectionsEndpoints } from '../../contract/connections/connections.endpoints.ts'
import { requireRole } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { connectionPresets } from './presets.ts'
import type { Connections } from './connections.service.ts'

export function connectionsHandlers(connections: Connections): Handlers<typeof connectionsEndpoints> {
  return {
    listConnections: ({ workspaceId }, { query }) => connections.list(workspaceId, query),
    createConnection: ({ workspaceId }, { body }) => connections.create(workspaceId, body),
    listConnectionPresets: () => connectionPresets(),
    discoverRuntimes: ({ workspaceId, signal }, { query }) => connections.discover(workspaceId, query.port, signal),
    setLocalRouteRates: ({ workspaceId, workspace, principal }, { body }) => {
      requireRole(principal, workspace, ['owner'], 'state what a local model costs')
      return connections.setLocalRates(workspaceId, body.route_id, body.rates)
    },
    updateConnection: ({ workspaceId }, { params, body }) => connections.update(workspaceId, params.connection_id, body),
    checkConnection: ({ workspaceId, signal }, { params }) => connections.check(workspaceId, params.connection_id, signal),
    listEndpointModels: ({ workspaceId, signal }, { body }) => connections.listEndpointModels(workspaceId, body, signal),
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
