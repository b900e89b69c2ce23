import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'

export function useEnvironments() {
  return useQuery({
    queryKey: ['catalog', 'environments'],
    queryFn: ({ signal }) => everyPage(cursor => call('listEnvironments', { query: { limit: 100, cursor } }, { signal })),
  })
}

export function useEnvironment(family: string) {
  return useQuery({
    queryKey: ['catalog', 'environment', family],
    queryFn: ({ signal }) => call('getEnvironment', { params: { family } }, { signal }),
  })
}
