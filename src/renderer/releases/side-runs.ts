import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** Runs that a search offers. */
const mostRuns = 50

/** The run behind the value of a side; null for a model. */
export function runOfSide(value: string | null): string | null {
  return value?.startsWith('run:') ? value.slice('run:'.length) : null
}

/** Runs of one profile with results, newest first. */
export const finishedRunsQuery = (q: string) =>
  queryOptions({
    queryKey: ['runs', 'finished', q],
    queryFn: ({ signal }) => call('listRuns', { query: { q: q.slice(0, 200), limit: mostRuns } }, { signal }),
    select: ({ items }) => items.filter(({ result_version: version, profiles }) => version !== null && profiles.length === 1),
    placeholderData: keepPreviousData,
  })
