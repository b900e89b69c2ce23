import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useChange } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

const key = ['workers']
/** Milliseconds; workers send a heartbeat every five seconds. */
const FOLLOW_MS = 5_000

export function useWorkers() {
  return useInfiniteQuery({
    ...pagedQuery([...key, 'list'], (cursor, signal) => call('listWorkers', { query: { cursor, limit: 100 } }, { signal })),
    refetchInterval: FOLLOW_MS,
  })
}

/** Whether the service has a queue, and whether that responds. */
export function useQueueState() {
  return useQuery({
    queryKey: [...key, 'queue'],
    queryFn: async ({ signal }) => (await call('listWorkers', { query: { limit: 1 } }, { signal })).queue,
    refetchInterval: FOLLOW_MS,
  })
}

export const useShareKey = () =>
  useChange(
    ({ isShared, ...params }: { worker_id: string; connection_id: string; isShared: boolean }) =>
      isShared ? call('shareKey', { params }) : call('withdrawKey', { params }),
    key,
  )

export const useDrainWorker = () => useChange((worker_id: string) => call('drainWorker', { params: { worker_id } }), key)
