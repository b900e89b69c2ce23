import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export function useNetworkHosts() {
  return useInfiniteQuery({
    ...pagedQuery(['network', 'hosts'], (cursor, signal) => call('listNetworkHosts', { query: { cursor, limit: 100 } }, { signal })),
    refetchInterval: 5_000,
  })
}
