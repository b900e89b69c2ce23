import { queryOptions } from '@tanstack/react-query'
import type { MediaDigest } from '../../contract/messages/messages.schemas.ts'
import { fetchFile } from '../api/download.ts'

/**
 * The bytes of a stored file, which never change; dropped a minute after the last view of them.
 * @param side longest side of a small picture of an image; null: the file itself
 */
export const mediaQuery = (digest: MediaDigest, side: '128' | '512' | null) =>
  queryOptions({
    queryKey: ['media', digest, side],
    queryFn: ({ signal }) =>
      side === null
        ? fetchFile('getMedia', { params: { digest } }, signal)
        : fetchFile('getMediaThumbnail', { params: { digest }, query: { side } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
