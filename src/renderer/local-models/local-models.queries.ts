import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LocalModels, LocalModelSettings, RuntimeBackend } from '../../contract/local-models/local-models.schemas.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { notifyFailed } from '../ui/page/notify.ts'

const queryKey = ['local-models'] as const
const busyMs = 1_000
const idleMs = 15_000

function isBusy({ runtime, items, unread }: LocalModels): boolean {
  return runtime.status === 'installing' || unread > 0 || items.some(({ job_id, loaded }) => job_id !== null || loaded !== null)
}

/** GGUF files of this machine; they come and go, so the list is refetched periodically. */
export function useLocalModels() {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call('listLocalModels', {}, { signal }),
    refetchInterval: query => (query.state.data && isBusy(query.state.data) ? busyMs : idleMs),
  })
}

/** A change that says itself what failed; the files and what can be chosen as a model are read again in the background. */
function useLocalChange<Input>(failure: string, mutationFn: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: ['models', 'routes'] })
    },
    onError: error => notifyFailed(failure, error),
  })
}

export const useInstallRuntime = () =>
  useLocalChange('The runtime was not installed', ({ backend, source }: { readonly backend: RuntimeBackend; readonly source: string }) =>
    call('installLocalRuntime', {
      body: { backend, ...(source === '' ? {} : isAddress(source) ? { registry: source } : { from: source }) },
    }),
  )

const isAddress = (source: string): boolean => /^https?:/i.test(source)

export const useRemoveRuntime = () => useLocalChange('The runtime was not removed', () => call('removeLocalRuntime', {}))

/** Computes the identity of a file, which takes a second a gigabyte or less. */
export const useIdentify = () => useLocalChange('The file was not read', (path: string) => call('identifyLocalModel', { body: { path } }))

export function useAddFolder() {
  const key = useIdempotencyKey('new-model-folder')
  return useLocalChange('The folder was not added', async (path: string) => {
    const body = { path }
    await call('addLocalModelFolder', { body, headers: key.headersFor(body) })
    key.done()
  })
}

export const useRemoveFolder = () =>
  useLocalChange('The folder was not removed', (id: string) => call('removeLocalModelFolder', { params: { folder_id: id } }))

export const useChangeSettings = () =>
  useLocalChange('The settings were not saved', (body: Partial<LocalModelSettings>) => call('updateLocalModelSettings', { body }))
