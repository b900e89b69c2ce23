import { queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Api } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { Sample } from '../../contract/runs/samples.schemas.ts'
import { hasAnnotations } from '../annotations/annotation-summary.tsx'
import { call } from '../api/client.ts'
import { ROWS_OF_PAGE as ROWS, usePageNumbers } from '../ui/table/use-page-numbers.ts'

type SampleQuery = NonNullable<Request<Api['listSamples']>['query']>
export type SampleFilters = Omit<SampleQuery, 'cursor' | 'limit' | 'offset' | 'locate'>

const LIVE_MS = 3_000

export interface SampleWindow {
  /** Samples that match; while others are searched, those that matched before; null until there is any. */
  readonly total: number | null
  /** Whether what matches is still being searched. */
  readonly searching: boolean
  /** How the search was made; null without one. */
  readonly searchedBy: 'index' | 'scan' | null
  /** Undefined while it is read. */
  readonly rowAt: (index: number) => Sample | undefined
  /** Whether any of the samples read so far has a bookmark, a tag or a note. */
  readonly annotated: boolean
  /** Whether the task of any of them shows an image. */
  readonly illustrated: boolean
  readonly onRange: (first: number, last: number) => void
  readonly error: Error | null
  readonly retry: () => void
}

/** Samples of a run by their place in the list: only the pages in view are read, wherever they are. */
export function useSamples(run: Run, filters: SampleFilters): SampleWindow {
  const ended = isTerminal(runMachine, run.status)
  const { numbers, onRange } = usePageNumbers()
  const { id } = run
  const version = ended ? run.result_version : 'live'
  const results = useQueries({
    queries: numbers.map(page => ({
      // The rows of a run that ended no longer change; until then they are other rows, also by their key.
      queryKey: ['samples', id, version, filters, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('listSamples', { params: { run_id: id }, query: { ...filters, offset: page * ROWS, limit: ROWS } }, { signal }),
      staleTime: ended ? Number.POSITIVE_INFINITY : LIVE_MS,
      refetchInterval: ended ? (false as const) : LIVE_MS,
      refetchOnWindowFocus: false,
      structuralSharing: false,
    })),
  })
  const rowAt = (index: number): Sample | undefined => results[numbers.indexOf(Math.floor(index / ROWS))]?.data?.items[index % ROWS]
  const annotated = results.some(({ data }) => data?.items.some(({ annotations }) => hasAnnotations(annotations)) === true)
  const illustrated = results.some(({ data }) => data?.items.some(({ images }) => images.length > 0) === true)
  const failed = results.find(result => result.isError && result.data === undefined)
  const total = results[0]?.data?.total ?? null
  const [before, setBefore] = useState<number | null>(null)
  if (total !== null && total !== before) setBefore(total)
  return {
    total: total ?? before,
    searching: total === null,
    searchedBy: results[0]?.data?.searched_by ?? null,
    rowAt,
    annotated,
    illustrated,
    onRange,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}

/** Index of a sample in the list as it is filtered and sorted; -1 where it is not in it, or until that is known. */
export function usePlace(run: Run, filters: SampleFilters, sampleId: string | null) {
  const client = useQueryClient()
  const ended = isTerminal(runMachine, run.status)
  const { id, result_version: version } = run
  const keyOf = (sample: string | null) => ['samples', id, ended ? version : 'live', 'place', filters, sample]
  const { data } = useQuery({
    queryKey: keyOf(sampleId),
    queryFn: async ({ signal }) => {
      const query = { ...filters, limit: 1, ...(sampleId === null ? {} : { locate: sampleId }) }
      return (await call('listSamples', { params: { run_id: id }, query }, { signal })).located_at ?? -1
    },
    enabled: sampleId !== null,
    staleTime: ended ? Number.POSITIVE_INFINITY : LIVE_MS,
    refetchOnWindowFocus: false,
  })
  return {
    place: sampleId === null ? -1 : (data ?? -1),
    /** False where the list does not contain the opened sample. */
    listed: sampleId === null || data !== -1,
    /** Says a place that is known already, so that opening the next sample asks nothing. */
    know: (sample: string, index: number): void => void client.setQueryData(keyOf(sample), index),
  }
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
