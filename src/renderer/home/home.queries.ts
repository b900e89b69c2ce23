import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'

/** More than are shown: those that still run are listed apart. */
const RECENT = 20

export function useRecentRuns() {
  return useQuery({
    queryKey: ['runs', 'recent'],
    queryFn: ({ signal }) => call('listRuns', { query: { limit: RECENT } }, { signal }),
    select: page => page.items,
    refetchInterval: 10_000,
  })
}

export const packagesInReviewQuery = queryOptions({
  queryKey: ['creator', 'in-review'],
  queryFn: ({ signal }) => everyPage(cursor => call('listPackages', { query: { status: 'in_review', cursor, limit: 100 } }, { signal })),
})

/** Datasets with examples that wait for a reviewer. */
export const datasetsInReviewQuery = queryOptions({
  queryKey: ['datasets', 'in-review'],
  queryFn: ({ signal }) => everyPage(cursor => call('listDatasets', { query: { cursor, limit: 100 } }, { signal })),
  select: datasets => datasets.filter(({ counts }) => counts.in_review > 0),
})
