import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewRunGroup } from '../../contract/run-groups/run-groups.schemas.ts'
import { useReplacement } from '../api/changes.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { comparisonQuery } from '../comparisons/compare.queries.ts'
import { isUnsettled, POLL_MS } from '../runs/runs.queries.ts'

/** Read again for as long as one of its runs can change. */
export const runGroupQuery = (id: string) =>
  queryOptions({
    queryKey: ['run-groups', 'one', id],
    queryFn: ({ signal }) => call('getRunGroup', { params: { run_group_id: id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.runs.some(({ run }) => isUnsettled(run)) ? POLL_MS : false),
  })

/** @param onCreated called also when the page was left meanwhile */
export function useCreateRunGroup(onCreated: () => void) {
  const client = useQueryClient()
  const key = useIdempotencyKey('new-run-group')
  return useMutation({
    mutationFn: (body: NewRunGroup) => call('createRunGroup', { body, headers: key.headersFor(body) }),
    onSuccess: group => {
      key.done()
      onCreated()
      client.setQueryData(runGroupQuery(group.id).queryKey, group)
      void client.invalidateQueries({ queryKey: ['runs', 'list'] })
    },
  })
}

export const useCancelRunGroup = (id: string) =>
  useReplacement(runGroupQuery(id).queryKey, () => call('cancelRunGroup', { params: { run_group_id: id } }))

export function useCompareRunGroup(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('compareRunGroup', { params: { run_group_id: id } }),
    onSuccess: comparison => {
      client.setQueryData(comparisonQuery(comparison.id).queryKey, comparison)
      void client.invalidateQueries({ queryKey: ['compare', 'list'] })
    },
  })
}
