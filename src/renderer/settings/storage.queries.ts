import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { StorageUse } from '../../contract/storage/storage.schemas.ts'
import { useReplacement } from '../api/changes.ts'
import { call } from '../api/client.ts'

const WORKING_MS = 2_000

const storageQuery = queryOptions({
  queryKey: ['settings', 'storage'],
  queryFn: ({ signal }) => call('getStorage', {}, { signal }),
})

/** Read again every two seconds while space is being given back, the database is examined or samples of deleted runs are taken away. */
export function useStorage() {
  return useQuery({ ...storageQuery, refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? WORKING_MS : false) })
}

export const useCompact = () => useReplacement(storageQuery.queryKey, () => call('compactStorage', {}))

export const useClearCache = () => useReplacement(storageQuery.queryKey, () => call('clearCache', {}))

export const useExamine = () => useReplacement(storageQuery.queryKey, () => call('examineStorage', {}))

export function useDismissLostChanges() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('dismissLostChanges', {}),
    onSuccess: async use => {
      client.setQueryData(storageQuery.queryKey, use)
      await client.invalidateQueries({ queryKey: ['health'] })
    },
  })
}

export function isCompacting({ compaction }: StorageUse): boolean {
  return compaction !== null && compaction.finished_at === null
}

function isWorking(use: StorageUse): boolean {
  return isCompacting(use) || use.examining || use.rows_to_delete > 0
}
