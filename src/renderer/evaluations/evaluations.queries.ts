import { queryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Evaluation } from '../../contract/evaluations/evaluations.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine, type RunStatus } from '../../contract/runs/run.machine.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import { POLL_MS, runQuery } from '../runs/runs.queries.ts'

const LIST_PAGE = 100

export interface EvaluationFilters {
  readonly q: string
  readonly status?: RunStatus | undefined
  readonly suite_version_id?: string | undefined
}

/** Newest first. Read again for as long as one of them can change. */
export function useEvaluations(filters: EvaluationFilters) {
  return useInfiniteQuery({
    ...pagedQuery(['evaluations', 'list', filters], (cursor, signal) =>
      call('listEvaluations', { query: { ...filters, cursor, limit: LIST_PAGE } }, { signal }),
    ),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(page => page.items.some(one => !isTerminal(runMachine, one.status))) ? POLL_MS : false,
  })
}

/** The immutable request; progress is read from its run. */
export const evaluationQuery = (id: string) =>
  queryOptions({
    queryKey: ['evaluations', 'one', id],
    queryFn: ({ signal }) => call('getEvaluation', { params: { evaluation_id: id } }, { signal }),
  })

export function useCancelEvaluation({ id, run_id: runId }: Pick<Evaluation, 'id' | 'run_id'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('cancelEvaluation', { params: { evaluation_id: id } }),
    onSuccess: evaluation => {
      client.setQueryData(evaluationQuery(id).queryKey, evaluation)
      void client.invalidateQueries({ queryKey: runQuery(runId).queryKey })
      void client.invalidateQueries({ queryKey: ['evaluations', 'list'] })
    },
  })
}
