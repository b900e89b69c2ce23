import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ProxyBody } from '../../contract/network/proxy.schemas.ts'
import { useReplacement } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export function useNetworkHosts() {
  return useInfiniteQuery({
    ...pagedQuery(['network', 'hosts'], (cursor, signal) => call('listNetworkHosts', { query: { cursor, limit: 100 } }, { signal })),
    refetchInterval: 5_000,
  })
}

const PROXY = ['network', 'proxy']

export function useProxy() {
  return useQuery({ queryKey: PROXY, queryFn: ({ signal }) => call('getProxy', {}, { signal }) })
}

export const useSetProxy = () => useReplacement(PROXY, (body: ProxyBody) => call('setProxy', { body }))
