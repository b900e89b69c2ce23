import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api, ComparedTask, NewComparison, Request, Run } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { pagedQuery } from '../api/pages.ts'
import { runQuery } from '../runs/runs.queries.ts'

type TaskQuery = NonNullable<Request<Api['listComparedTasks']>['query']>
export type TaskFilters = Pick<TaskQuery, 'contender_id' | 'change' | 'profile' | 'capability' | 'breakdown' | 'breakdown_value' | 'q'>

const PAGE = 100

export function useComparisons(q: string) {
  return useInfiniteQuery(
    pagedQuery(['compare', 'list', q], (cursor, signal) => call('listComparisons', { query: { q, cursor, limit: PAGE } }, { signal })),
  )
}

/** A comparison is never changed, so it is read once. */
export const comparisonQuery = (id: string) =>
  queryOptions({
    queryKey: ['compare', 'one', id],
    queryFn: ({ signal }) => call('getComparison', { params: { comparison_id: id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export function useCreateComparison() {
  const client = useQueryClient()
  const key = useIdempotencyKey('new-comparison')
  return useMutation({
    mutationFn: (body: NewComparison) => call('createComparison', { body, headers: key.headersFor(body) }),
    onSuccess: comparison => {
      key.done()
      client.setQueryData(comparisonQuery(comparison.id).queryKey, comparison)
      void client.invalidateQueries({ queryKey: ['compare', 'list'] })
    },
  })
}

/** Ratings of models from battles, which the service keeps nothing of. */
export function useRanking() {
  return useMutation({ mutationFn: (body: Request<Api['rankModels']>['body']) => call('rankModels', { body }) })
}

export function useComparedTasks(id: string, filters: TaskFilters) {
  return useInfiniteQuery({
    ...pagedQuery(['compare', 'tasks', id, filters], (cursor, signal) =>
      call('listComparedTasks', { params: { comparison_id: id }, query: { ...filters, cursor, limit: PAGE } }, { signal }),
    ),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
}

/** One task by its place; the service finds it by its id. */
export function useComparedTask(id: string, taskId: string, position: number, listed: ComparedTask | undefined) {
  return useQuery({
    queryKey: ['compare', 'task', id, taskId, position],
    queryFn: async ({ signal }): Promise<ComparedTask> => {
      const page = await call('listComparedTasks', { params: { comparison_id: id }, query: { q: taskId, limit: PAGE } }, { signal })
      const found = page.items.find(task => task.position === position && task.task_id === taskId)
      if (!found) throw new Error(`This comparison has no task "${taskId}" at place ${position + 1}. Choose one from the list.`)
      return found
    },
    ...(listed ? { initialData: listed } : {}),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Runs that may be compared: those with a result. */
export function useComparableRuns(q: string) {
  return useInfiniteQuery({
    ...pagedQuery(['compare', 'runs', q], (cursor, signal) => call('listRuns', { query: { q, cursor, limit: PAGE } }, { signal })),
    select: data => ({ ...data, rows: data.pages.flatMap(page => page.items.filter(run => run.result_version !== null)) }),
  })
}

/** The chosen runs in their order; those that are not read yet are undefined. */
export function useChosenRuns(
  ids: readonly string[],
): readonly { readonly id: string; readonly run: Run | undefined; readonly error: Error | null }[] {
  const queries = useQueries({ queries: ids.map(id => runQuery(id)) })
  return ids.map((id, index) => ({ id, run: queries[index]?.data, error: queries[index]?.error ?? null }))
}
