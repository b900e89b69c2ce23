import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'

const RECENT = 8

export function useRecentRuns() {
  return useQuery({
    queryKey: ['runs', 'recent'],
    queryFn: ({ signal }) => call('listRuns', { query: { limit: RECENT } }, { signal }),
    select: page => page.items,
    refetchInterval: 10_000,
  })
}
