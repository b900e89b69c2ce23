import { keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { type Api, isTerminal, type Request, type Run, runMachine } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

type SampleQuery = NonNullable<Request<Api['listSamples']>['query']>
export type SampleFilters = Pick<SampleQuery, 'status' | 'profile' | 'passed' | 'q' | 'sort'>

const PAGE = 100
const LIVE_MS = 3_000

/** Samples of a run in the order that the service keeps, page after page. */
export function useSamples(run: Run, filters: SampleFilters) {
  const ended = isTerminal(runMachine, run.status)
  return useInfiniteQuery({
    // The rows of a run that ended no longer change; until then they are other rows, also by their key.
    ...pagedQuery(['samples', run.id, ended ? run.result_version : 'live', filters], (cursor, signal) =>
      call('listSamples', { params: { run_id: run.id }, query: { ...filters, cursor, limit: PAGE } }, { signal }),
    ),
    staleTime: ended ? Number.POSITIVE_INFINITY : LIVE_MS,
    // Only the first page follows a live run by itself: reading hundreds of pages again and again would slow the run down.
    refetchInterval: ({ state }) => (!ended && (state.data?.pages.length ?? 0) <= 1 ? LIVE_MS : false),
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
    // Comparing all former rows with themselves on each page would take longer than the reading.
    structuralSharing: false,
  })
}

export const sampleQuery = (runId: string, sampleId: string) =>
  queryOptions({
    queryKey: ['samples', runId, 'one', sampleId],
    queryFn: ({ signal }) => call('getSample', { params: { run_id: runId, sample_id: sampleId } }, { signal }),
  })

const LATEST = 8
const LATEST_MS = 2_000

/** The few scored samples furthest into a run that works. */
export const latestSamplesQuery = (runId: string) =>
  queryOptions({
    queryKey: ['samples', runId, 'latest'],
    queryFn: ({ signal }) =>
      call('listSamples', { params: { run_id: runId }, query: { status: 'scored', sort: '-position', limit: LATEST } }, { signal }),
    staleTime: LATEST_MS,
    refetchInterval: LATEST_MS,
  })
