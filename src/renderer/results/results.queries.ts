import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** A result version never changes, so it is read once. */
export const resultsQuery = (runId: string, version: number) =>
  queryOptions({
    queryKey: ['results', runId, version],
    queryFn: ({ signal }) => call('getRunResults', { params: { run_id: runId }, query: { version } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
