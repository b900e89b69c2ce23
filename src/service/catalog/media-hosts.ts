import type { FetchMedia } from '../../contract/catalog/remote-media.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { classifyHost, type HostClass } from '../../engine/clients/addresses/classify-host.ts'
import { requireRole } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'

/**
 * A host of a private network may be named by an owner or admin alone: what is stored says what answers there. So may this machine
 * where other machines reach the service.
 * @throws ApiError human_approval_required, owner_session_required, validation_error
 */
export function requireMediaHosts(hosts: FetchMedia = {}, { principal, workspace }: Asker, isRemote: boolean): void {
  for (const host of Object.keys(hosts)) {
    const url = URL.parse(`http://${host}`)
    // Port 80 is left out of what a URL says of itself.
    if (!url || url.host !== host.replace(/:80$/, ''))
      throw invalidField(
        ['body', 'fetch_media', host],
        'must be a host as addresses have it, in lower case, with its port where they state one',
      )
    const found = classifyHost(url.hostname)
    if (!isPrivate(found) && !(isRemote && found.reach === 'loopback')) continue
    if (principal.kind === 'api_key')
      throw new ApiError(
        'human_approval_required',
        `A key may have media fetched from public hosts${isRemote ? '' : ' and from this machine'}; ${host} is ${found.what}. Ask an owner or admin to import it.`,
      )
    requireRole(principal, workspace, ['owner', 'admin'], `have media fetched from ${host}, which is ${found.what}`)
  }
}

export function isPrivate({ reach }: HostClass): boolean {
  return reach === 'private' || reach === 'shared'
}
