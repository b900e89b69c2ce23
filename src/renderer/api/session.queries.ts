import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useReplacement } from './changes.ts'
import { call } from './client.ts'
import { ME } from './query-client.ts'

const meQuery = queryOptions({ queryKey: ME, queryFn: ({ signal }) => call('getMe', {}, { signal }), staleTime: 60_000 })

export function useMe() {
  return useQuery(meQuery)
}

export const usePair = () => useReplacement(ME, (code: string) => call('pair', { body: { code } }))

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
