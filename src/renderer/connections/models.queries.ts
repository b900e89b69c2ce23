import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Rates } from '../../contract/catalog/models.schemas.ts'
import type { Connection, ConnectionBody, ConnectionUpdate, EndpointLook } from '../../contract/connections/connections.schemas.ts'
import { everything, useChange } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { everyPage } from '../api/pages.ts'

const CONNECTIONS = ['models', 'connections'] as const

/** Every model route; local runtimes come and go, so the list is refetched periodically. */
export function useModelRoutes() {
  return useQuery({
    queryKey: ['models', 'routes'],
    queryFn: ({ signal }) => everyPage(cursor => call('listModels', { query: { limit: 100, cursor } }, { signal })),
    refetchInterval: 30_000,
  })
}

export function useConnections() {
  return useQuery({
    queryKey: CONNECTIONS,
    queryFn: ({ signal }) => everyPage(cursor => call('listConnections', { query: { limit: 100, cursor } }, { signal })),
  })
}

/** The table that ships with the product; it does not change while the page is open. */
export function useConnectionPresets() {
  return useQuery({
    queryKey: ['models', 'presets'],
    queryFn: ({ signal }) => call('listConnectionPresets', {}, { signal }),
    staleTime: Infinity,
  })
}

/** Only when a person asks for it. */
export const useDiscoverRuntimes = () =>
  // What was found can be chosen like any model.
  useChange(async () => (await call('discoverRuntimes', {})).items, ['models', 'routes'])

/** What a local route costs from the next quote on; only an owner may say. */
export const useSetLocalRates = () =>
  useChange(
    (body: { readonly route_id: string; readonly rates: Rates | null }) => call('setLocalRouteRates', { body }),
    ['models', 'routes'],
  )

/** Puts the changed connection into the list at once; then everything that shows connections or what they can run asks again. */
function afterChange(client: QueryClient) {
  return (changed: Connection): void => {
    client.setQueryData<readonly Connection[]>(CONNECTIONS, before => {
      if (!before) return before
      return before.some(({ id }) => id === changed.id) ? before.map(one => (one.id === changed.id ? changed : one)) : [changed, ...before]
    })
    void client.invalidateQueries()
  }
}

export function useCreateConnection() {
  const client = useQueryClient()
  const key = useIdempotencyKey('new-connection')
  return useMutation({
    mutationFn: (body: ConnectionBody) => call('createConnection', { body, headers: key.headersFor(body) }),
    onSuccess: created => {
      key.done()
      afterChange(client)(created)
    },
  })
}

export function useUpdateConnection() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: ConnectionUpdate }) =>
      call('updateConnection', { params: { connection_id: id }, body }),
    onSuccess: afterChange(client),
  })
}

/** What the endpoint says it offers; no model is called. */
export function useEndpointModels() {
  return useMutation({ mutationFn: (body: EndpointLook) => call('listEndpointModels', { body }) })
}

/** One call with a prompt of the reader's own, which the provider may bill. */
export function useTryPrompt(id: string) {
  return useMutation({
    mutationFn: (prompt: string) => call('tryConnection', { params: { connection_id: id }, body: { prompt, max_output_tokens: 256 } }),
  })
}

/** One small request to the provider, which it may bill. */
export function useCheckConnection() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call('checkConnection', { params: { connection_id: id } }),
    onSuccess: afterChange(client),
  })
}

export const useDisableConnection = () =>
  useChange((id: string) => call('disableConnection', { params: { connection_id: id } }), everything)
