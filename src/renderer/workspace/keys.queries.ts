import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { KeyCeilingBody, NewApiKeyBody, RollOverlap } from '../../contract/keys/keys.schemas.ts'
import { useChange } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { everyPage } from '../api/pages.ts'

const KEYS = ['workspace', 'keys'] as const

/** Every key: the list is sorted and searched in the browser. */
export function useApiKeys() {
  return useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => everyPage(cursor => call('listApiKeys', { query: { cursor, limit: 100 } }, { signal })),
  })
}

function reread(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: KEYS })
}

export function useCreateKey() {
  const client = useQueryClient()
  const key = useIdempotencyKey('new-api-key')
  return useMutation({
    mutationFn: (body: NewApiKeyBody) => call('createApiKey', { body, headers: key.headersFor(body) }),
    onSuccess: () => {
      key.done()
      void reread(client)
    },
    // The answer holds the key itself; none of it stays once the page is left.
    gcTime: 0,
  })
}

export function useRollKey(id: string) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`roll-api-key-${id}`)
  return useMutation({
    mutationFn: (overlap: RollOverlap) =>
      call('rollApiKey', { params: { key_id: id }, body: { overlap }, headers: key.headersFor({ overlap }) }),
    onSuccess: () => {
      key.done()
      void reread(client)
    },
    gcTime: 0,
  })
}

export const useRevokeKey = (id: string) => useChange(() => call('revokeApiKey', { params: { key_id: id } }), KEYS)

export const useSetCeiling = (id: string) =>
  useChange((body: KeyCeilingBody) => call('setKeyCeiling', { params: { key_id: id }, body }), KEYS)
