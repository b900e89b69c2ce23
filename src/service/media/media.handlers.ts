import type { mediaEndpoints } from '../../contract/media/media.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Media } from './media.service.ts'

export function mediaHandlers(media: Media): Handlers<typeof mediaEndpoints> {
  return {
    uploadMedia: ({ workspaceId }, parts) => media.upload(workspaceId, parts),
    getMediaThumbnail: ({ workspaceId, signal }, { params, query }) =>
      media.thumbnail(workspaceId, params.digest, Number(query.side), signal),
    getMedia: ({ workspaceId }, { params }) => media.file(workspaceId, params.digest),
  }
}
