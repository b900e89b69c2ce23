import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Benchmark } from '../../contract/catalog/benchmarks.schemas.ts'
import type { FilingQuery } from '../items/use-filing.tsx'
import type { TextMatch } from '../../lib/text-query.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'

/** Milliseconds in which the catalog only changes by an import, which refreshes it itself. */
const CATALOG_FRESH_MS = 60_000
const TASK_PAGE = 200
/** Milliseconds until one looks again while it is checked what can run, some seconds after a start. */
const CHECKING_MS = 1_000

const whileChecking = (benchmarks: readonly Benchmark[] | undefined): number | false =>
  benchmarks?.some(({ quote_availability: { status } }) => status === 'checking') ? CHECKING_MS : false

/** The whole catalog that matches `q`, over all pages: some hundred entries, so facets and sorting work on all of them. */
export function useBenchmarks(q: string, filing: FilingQuery = {}) {
  return useQuery({
    queryKey: ['catalog', 'benchmarks', q, filing],
    queryFn: ({ signal }) => everyPage(cursor => call('listBenchmarks', { query: { q, ...filing, limit: 100, cursor } }, { signal })),
    refetchInterval: ({ state }) => whileChecking(state.data),
    staleTime: CATALOG_FRESH_MS,
    // While one types, the former list stays and the table does not flicker.
    placeholderData: keepPreviousData,
  })
}

/** The first benchmarks that match `q`, for a choice that a search narrows: one request, however large the catalog is. */
export function useFirstBenchmarks(q: string) {
  return useQuery({
    queryKey: ['catalog', 'benchmarks', 'first', q],
    queryFn: ({ signal }) => call('listBenchmarks', { query: { q, limit: 100 } }, { signal }),
    refetchInterval: ({ state }) => whileChecking(state.data?.items),
    staleTime: CATALOG_FRESH_MS,
    placeholderData: keepPreviousData,
  })
}

export function useBenchmark(slug: string | null) {
  return useQuery({
    queryKey: ['catalog', 'benchmark', slug],
    queryFn: ({ signal }) => call('getBenchmark', { params: { slug: slug ?? '' } }, { signal }),
    enabled: slug !== null,
    staleTime: CATALOG_FRESH_MS,
  })
}

export function useTasks(sourceRef: string, q: string, match: TextMatch = 'words') {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['catalog', 'tasks', sourceRef, q, match],
      queryFn: ({ pageParam, signal }) =>
        call('listTasks', { query: { source_ref: sourceRef, q, match, limit: TASK_PAGE, offset: pageParam } }, { signal }),
      initialPageParam: 0,
      getNextPageParam: page => page.next_offset ?? undefined,
      staleTime: CATALOG_FRESH_MS,
    }),
  )
}
