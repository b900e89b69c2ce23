import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../api/client.ts'
import { useReachable } from '../api/reachability.ts'
import { IconPlugConnectedX } from '../ui/pictures/icons.tsx'

const KNOCK_MS = 2_000

/** Shown while the service is unreachable; polls it and refreshes every page when it is back. */
export function OfflineBanner() {
  const reachable = useReachable()
  useRecovery(reachable)
  if (reachable) return null
  return (
    <div className="shell-banner" role="alert">
      <IconPlugConnectedX size={16} aria-hidden />
      The Assay service does not respond, so this page may be out of date. Reconnecting…
    </div>
  )
}

function useRecovery(reachable: boolean): void {
  const client = useQueryClient()
  const before = useRef(reachable)
  useQuery({
    queryKey: ['health', 'knock'],
    queryFn: ({ signal }) => call('getHealth', {}, { signal }),
    enabled: !reachable,
    refetchInterval: KNOCK_MS,
    retry: false,
  })
  useEffect(() => {
    if (reachable && !before.current) void client.invalidateQueries()
    before.current = reachable
  }, [reachable, client])
}
