import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './client.ts'
import { ME } from './query-client.ts'

const meQuery = queryOptions({ queryKey: ME, queryFn: ({ signal }) => call('getMe', {}, { signal }), staleTime: 60_000 })

export function useMe() {
  return useQuery(meQuery)
}

export function usePair() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call('pair', { body: { code } }),
    onSuccess: me => client.setQueryData(ME, me),
  })
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('signOut', {}),
    // Clears the cache, so that the next user sees no data of the previous session.
    onSuccess: () => {
      client.clear()
      globalThis.location.assign('/')
    },
  })
}
