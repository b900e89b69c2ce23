import type { networkEndpoints } from '../../contract/network/network.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { NetworkLog } from './network-log.ts'

export function networkHandlers(log: NetworkLog): Handlers<typeof networkEndpoints> {
  return { listNetworkHosts: ({ workspaceId }, { query }) => log.list(workspaceId, query) }
}
