import { classifyHost } from '../engine/clients/addresses/classify-host.ts'
import { readFetched, RemoteMedia, type RemoteOrder } from '../engine/importing/media/remote-media.ts'

/** The media at addresses that an import may show. @param leavesOut whether rows whose files may not be fetched are left out */
export function openRemoteMedia(order: RemoteOrder | undefined, leavesOut: boolean): RemoteMedia {
  const { allowed, folder } = order ?? { allowed: {}, folder: null }
  return new RemoteMedia({
    allowed,
    fetched: url => (folder === null ? null : (readFetched(folder, url) ?? { why: 'It was not downloaded.' })),
    leavesOut,
    isPublic: hostname => classifyHost(hostname).reach === 'public',
  })
}
