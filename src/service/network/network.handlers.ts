import type { networkEndpoints } from '../../contract/network/network.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { InstallationService } from '../installation/index.ts'
import type { NetworkLog } from './network-log.ts'
import type { ProxyChoice } from './proxy-choice.ts'

export function networkHandlers(
  log: NetworkLog,
  proxy: ProxyChoice,
  installation: Pick<InstallationService, 'requireOwner'>,
): Handlers<typeof networkEndpoints> {
  return {
    listNetworkHosts: ({ workspaceId }, { query }) => log.list(workspaceId, query),
    getProxy: () => proxy.read(),
    setProxy: ({ principal }, { body }) => {
      installation.requireOwner(principal, 'set the proxy', { allowLocalKey: true })
      return proxy.set(body)
    },
  }
}
