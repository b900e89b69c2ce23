import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MediaDigest } from '../../contract/messages/messages.schemas.ts'
import { ServiceError } from '../../contract/client.ts'
import { mediaQuery } from './media.queries.ts'

/**
 * An address of the page's own for a stored file, since an element that loads by itself sends no workspace; null until it is there.
 */
export function useMediaUrl(
  digest: MediaDigest,
  side: '128' | '512' | null = null,
): {
  readonly url: string | null
  /** Its media type; empty until it is there. */
  readonly type: string
  readonly error: Error | null
  /** The service does not have the file. */
  readonly isMissing: boolean
  readonly retry: () => void
} {
  const { data, error, refetch } = useQuery(mediaQuery(digest, side))
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    // oxlint-disable-next-line react/set-state-in-effect -- an address is made and given back outside React
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [data])
  const isMissing = error instanceof ServiceError && error.status === 404
  return { url, type: data?.type ?? '', error, isMissing, retry: () => void refetch() }
}
