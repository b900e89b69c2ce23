import { useQueries, useQuery } from '@tanstack/react-query'
import type { MetricResult, Run } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { resultsQuery } from '../results/results.queries.ts'

const RECENT = 8

export function useRecentRuns() {
  return useQuery({
    queryKey: ['runs', 'recent'],
    queryFn: ({ signal }) => call('listRuns', { query: { limit: RECENT } }, { signal }),
    select: page => page.items,
    refetchInterval: 10_000,
  })
}

export interface RecentScore {
  readonly run: Run
  readonly metric: MetricResult
}

/** The primary metric of each profile of each finished run, as far as the results have arrived. */
export function useRecentScores(runs: readonly Run[]): readonly RecentScore[] {
  const finished = runs.filter(run => run.result_version !== null)
  return useQueries({
    queries: finished.map(run => resultsQuery(run.id, run.result_version ?? 1)),
    combine: results =>
      results.flatMap((result, index) => {
        const run = finished[index]
        return run && result.data ? result.data.metrics.filter(metric => metric.primary).map(metric => ({ run, metric })) : []
      }),
  })
}
