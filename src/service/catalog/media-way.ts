import { mostArchiveBytes } from '../../contract/media/media.schemas.ts'
import { classifyHost } from '../../engine/clients/addresses/classify-host.ts'
import type { Kernel } from '../kernel.ts'
import { type NetworkLog, outgoingAddressPolicy } from '../network/index.ts'
import type { MediaWay } from './fetch-media.ts'
import { isPrivate } from './media-hosts.ts'

/** Of jobs that download media: a slow host holds up its own import, and the turns are shared out fairly among workspaces. */
export const mediaLane = { lane: 'import-media', concurrency: 3 } as const

/** How the media of an import are downloaded from hosts that a person named. */
export function mediaWay(
  { accessPolicy, storage }: Pick<Kernel, 'accessPolicy' | 'storage'>,
  network: Pick<NetworkLog, 'meterFor' | 'proxies'>,
  workspaceId: string,
): MediaWay {
  return {
    policyFor: url =>
      outgoingAddressPolicy(url, {
        allowPrivate: isPrivate(classifyHost(url.hostname)),
        ownOrigin: `http://127.0.0.1:${accessPolicy().port}`,
        uses: 'media of imports',
        proxies: network.proxies(),
      }),
    traffic: network.meterFor(workspaceId),
    mostBytes: mostArchiveBytes,
    requireRoom: bytes => storage.requireRoom(bytes, 'media files could not be downloaded. Free some space and import again.'),
  }
}
