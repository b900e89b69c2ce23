import type { connectionsEndpoints } from '../../contract/connections/connections.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { connectionPresets } from './presets.ts'
import type { Connections } from './connections.service.ts'

export function connectionsHandlers(connections: Connections): Handlers<typeof connectionsEndpoints> {
  return {
    listConnections: ({ workspaceId }, { query }) => connections.list(workspaceId, query),
    createConnection: ({ workspaceId }, { body }) => connections.create(workspaceId, body),
    listConnectionPresets: () => connectionPresets(),
    discoverRuntimes: ({ workspaceId, signal }) => connections.discover(workspaceId, signal),
    updateConnection: ({ workspaceId }, { params, body }) => connections.update(workspaceId, params.connection_id, body),
    checkConnection: ({ workspaceId, signal }, { params }) => connections.check(workspaceId, params.connection_id, signal),
    disableConnection: ({ workspaceId }, { params }) => {
      connections.disable(workspaceId, params.connection_id)
      return { ok: true as const }
    },
  }
}
