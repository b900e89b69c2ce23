import { useQueries, useQuery } from '@tanstack/react-query'
import { isBiasedScore, type MetricResult, type Results } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { type BesideChoice, chooseBeside } from './choose-beside.ts'
import { resultsQuery } from './results.queries.ts'

/** Runs that are looked through for one to read a score beside. */
const LOOKED_AT = 100
const A_MINUTE_MS = 60_000

export interface Beside extends BesideChoice {
  readonly metric: MetricResult
}

/** Scores of the same profile to read this run's score beside: the run before it, and a baseline. */
export function useBeside(here: Results, profileId: string): readonly Beside[] {
  const benchmark = here.reproducibility.profiles.find(profile => profile.profile_id === profileId)
  const runs = useQuery({
    queryKey: ['runs', 'of-benchmark', benchmark?.slug ?? ''],
    queryFn: ({ signal }) => call('listRuns', { query: { q: benchmark?.slug ?? '', limit: LOOKED_AT } }, { signal }),
    select: page => page.items,
    staleTime: A_MINUTE_MS,
    enabled: benchmark !== undefined,
  })
  const chosen = chooseBeside(runs.data ?? [], here, profileId)
  return useQueries({
    queries: chosen.map(({ run }) => resultsQuery(run.id, run.result_version ?? 1)),
    combine: results =>
      results.flatMap(({ data }, index) => {
        const choice = chosen[index]
        const metric = data?.metrics.find(one => one.primary && one.profile_id === profileId)
        return choice && data && metric && !isBiasedScore(data, profileId) ? [{ ...choice, metric }] : []
      }),
  })
}
