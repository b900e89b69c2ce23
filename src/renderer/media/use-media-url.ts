import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MediaDigest } from '../../contract/messages/messages.schemas.ts'
import { mediaQuery } from './media.queries.ts'

/**
 * An address of the page's own for a stored file, since an element that loads by itself sends no workspace; null until it is there.
 */
export function useMediaUrl(digest: MediaDigest): { readonly url: string | null; readonly failed: boolean } {
  const { data, isError } = useQuery(mediaQuery(digest))
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
  return { url, failed: isError }
}
