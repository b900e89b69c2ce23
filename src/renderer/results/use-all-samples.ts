import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Sample } from '../../contract/runs/samples.schemas.ts'
import { call } from '../api/client.ts'
import { allItems, pagedQuery } from '../api/pages.ts'

/** Runs up to this many samples are read without asking: twenty pages. */
const READ_AT_ONCE = 2_000
const PAGE = 100

interface AllSamples {
  /** Undefined until the last page has arrived. */
  readonly samples: readonly Sample[] | undefined
  /** How many have arrived; null before loading starts. */
  readonly loaded: number | null
  readonly error: Error | null
  readonly start: () => void
}

/**
 * Every sample of an ended run, page after page, for pictures that need each value. Stops when the page is left.
 *
 * @param version The latest result version: another one has other samples.
 */
export function useAllSamples(runId: string, version: number, total: number): AllSamples {
  const [wanted, setWanted] = useState(total <= READ_AT_ONCE)
  const query = useInfiniteQuery({
    ...pagedQuery(['results', runId, 'samples', version], (cursor, signal) =>
      call('listSamples', { params: { run_id: runId }, query: { cursor, limit: PAGE } }, { signal }),
    ),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing all former rows with themselves on each page would take longer than the reading.
    structuralSharing: false,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage, refetch } = query
  const goesOn = wanted && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (goesOn) void fetchNextPage()
  }, [goesOn, fetchNextPage])
  const complete = data !== undefined && !hasNextPage
  const samples = useMemo(() => (complete ? allItems(data) : undefined), [complete, data])
  return {
    samples,
    loaded: wanted ? (data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0) : null,
    error: query.error,
    start: () => (wanted ? void (data ? fetchNextPage() : refetch()) : setWanted(true)),
  }
}
