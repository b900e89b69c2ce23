import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Api } from '../../contract/api.ts'
import type { ComparedTask, NewComparison } from '../../contract/comparisons/comparisons.schemas.ts'
import type { MatrixRow } from '../../contract/comparisons/matrix.schemas.ts'
import type { Request } from '../../contract/endpoint.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { FilingQuery } from '../items/use-filing.tsx'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'
import { everyPage, pagedQuery } from '../api/pages.ts'
import { ROWS_OF_PAGE as ROWS, usePageNumbers } from '../ui/table/use-page-numbers.ts'
import { runQuery } from '../runs/runs.queries.ts'

type TaskQuery = NonNullable<Request<Api['listComparedTasks']>['query']>
export type TaskFilters = Pick<TaskQuery, 'contender_id' | 'change' | 'profile' | 'capability' | 'breakdown' | 'breakdown_value' | 'q'>

const PAGE = 100

export function useComparisons(q: string, filing: FilingQuery) {
  return useInfiniteQuery(
    pagedQuery(['compare', 'list', q, filing], (cursor, signal) =>
      call('listComparisons', { query: { q, ...filing, cursor, limit: PAGE } }, { signal }),
    ),
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
  return useMutation({ mutationFn: (body: NonNullable<Request<Api['rankModels']>['body']>) => call('rankModels', { body }) })
}

/** Ended calibrations of pairwise evaluators, whose verdicts are battles. */
export function useJudgedPairs() {
  return useQuery({
    queryKey: ['compare', 'judged-pairs'],
    queryFn: ({ signal }) =>
      everyPage(cursor => call('listCalibrations', { query: { task: 'pairwise', status: 'resolved', cursor, limit: PAGE } }, { signal })),
  })
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

type MatrixQuery = NonNullable<Request<Api['listMatrix']>['query']>
export type MatrixFilters = Pick<MatrixQuery, 'agreement' | 'verdict' | 'pattern' | 'profile' | 'q' | 'match'>

const matrixQuery = (id: string, filters: MatrixFilters, more: Pick<MatrixQuery, 'offset' | 'locate' | 'limit'>) => ({
  queryKey: ['compare', 'matrix', id, filters, more],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call('listMatrix', { params: { comparison_id: id }, query: { ...filters, ...more } }, { signal }),
  // What was compared does not change; notes, which a search finds, may.
  staleTime: filters.q === '' ? Number.POSITIVE_INFINITY : 60_000,
  refetchOnWindowFocus: false,
})

/** Tasks of a comparison by their place in the list: only the pages in view are read, wherever they are. */
export function useMatrix(id: string, filters: MatrixFilters) {
  const { numbers, onRange } = usePageNumbers()
  const results = useQueries({
    queries: numbers.map(page => ({ ...matrixQuery(id, filters, { offset: page * ROWS, limit: ROWS }), structuralSharing: false })),
  })
  const total = results[0]?.data?.total ?? null
  const [before, setBefore] = useState<number | null>(null)
  if (total !== null && total !== before) setBefore(total)
  const failed = results.find(result => result.isError && result.data === undefined)
  return {
    /** Tasks that match; while others are searched, those that matched before; null until there is any. */
    total: total ?? before,
    searching: total === null,
    /** Undefined while it is read. */
    rowAt: (index: number): MatrixRow | undefined => results[numbers.indexOf(Math.floor(index / ROWS))]?.data?.items[index % ROWS],
    /** Index of a task among the rows that are read; -1 elsewhere. */
    indexOf: (position: number): number => {
      for (const [i, page] of numbers.entries()) {
        const found = results[i]?.data?.items.findIndex(row => row.position === position) ?? -1
        if (found >= 0) return page * ROWS + found
      }
      return -1
    },
    onRange,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

/** One task of the matrix by its position, also where the list as it is filtered does not contain it. */
export function useMatrixRow(id: string, filters: MatrixFilters, position: number | null, list: ReturnType<typeof useMatrix>) {
  // Known from the list as soon as the next task is opened, so that letters that are pressed quickly are not lost.
  const listed = position === null ? -1 : list.indexOf(position)
  const listedRow = listed < 0 ? undefined : list.rowAt(listed)
  const shown = position ?? 0
  const none: MatrixFilters = { q: '' }
  const row = useQuery({
    ...matrixQuery(id, none, { offset: shown, limit: 1 }),
    enabled: position !== null && !listedRow,
    select: ({ items }) => items.find(item => item.position === shown) ?? null,
  })
  const place = useQuery({
    ...matrixQuery(id, filters, { locate: shown, limit: 1 }),
    enabled: position !== null && !listedRow,
    select: ({ located_at }) => located_at ?? -1,
  })
  return { listed: listedRow, row, index: position === null ? -1 : listedRow ? listed : (place.data ?? -1) }
}

/** Runs that may be compared: those with a result, on the benchmark of a slug where one is given. */
export function useComparableRuns(q: string, benchmark?: string) {
  return useInfiniteQuery({
    ...pagedQuery(['compare', 'runs', q, benchmark ?? null], (cursor, signal) =>
      call('listRuns', { query: { q, benchmark, has_result: 'true', sort: '-pinned', cursor, limit: PAGE } }, { signal }),
    ),
    select: data => ({ ...data, rows: data.pages.flatMap(page => page.items) }),
  })
}

/** The chosen runs in their order; those that are not read yet are undefined. */
export function useChosenRuns(
  ids: readonly string[],
): readonly { readonly id: string; readonly run: Run | undefined; readonly error: Error | null }[] {
  const queries = useQueries({ queries: ids.map(id => runQuery(id)) })
  return ids.map((id, index) => ({ id, run: queries[index]?.data, error: queries[index]?.error ?? null }))
}
