import { queryOptions } from '@tanstack/react-query'
import type { MediaDigest } from '../../contract/messages/messages.schemas.ts'
import { fetchFile } from '../api/download.ts'

/** The bytes of a stored file, which never change; dropped a minute after the last view of them. */
export const mediaQuery = (digest: MediaDigest) =>
  queryOptions({
    queryKey: ['media', digest],
    queryFn: ({ signal }) => fetchFile('getMedia', { params: { digest } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
