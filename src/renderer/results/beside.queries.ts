import { useQueries, useQuery } from '@tanstack/react-query'
import { isBiasedScore, type MetricResult, type Results, type Run } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { resultsQuery } from './results.queries.ts'

/** Runs that are looked through for one to read a score beside. */
const LOOKED_AT = 100
const A_MINUTE_MS = 60_000

export interface Beside {
  readonly run: Run
  readonly role: 'baseline' | 'previous'
  readonly metric: MetricResult
}

/** Scores of the same profile to read this run's score beside: the run before it, and a baseline. */
export function useBeside({ run_id: runId, reproducibility }: Results, profileId: string): readonly Beside[] {
  const benchmark = reproducibility.profiles.find(profile => profile.profile_id === profileId)
  const runs = useQuery({
    queryKey: ['runs', 'of-benchmark', benchmark?.slug ?? ''],
    queryFn: ({ signal }) => call('listRuns', { query: { q: benchmark?.slug ?? '', limit: LOOKED_AT } }, { signal }),
    select: page => page.items,
    staleTime: A_MINUTE_MS,
    enabled: benchmark !== undefined,
  })
  const chosen = chooseBeside(runs.data ?? [], runId, profileId)
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

/** @param runs newest first */
export function chooseBeside(runs: readonly Run[], runId: string, profileId: string): readonly Pick<Beside, 'run' | 'role'>[] {
  const here = runs.findIndex(run => run.id === runId)
  const others = runs.filter(
    run => run.id !== runId && run.result_version !== null && run.profiles.some(profile => profile.profile_id === profileId),
  )
  const earlier = new Set(here < 0 ? [] : runs.slice(here + 1))
  const previous = others.find(run => run.model.is_model && earlier.has(run))
  // Another one than this run's own: two runs of one baseline differ by luck alone.
  const baseline = others.find(run => !run.model.is_model && run.model.title !== runs[here]?.model.title)
  return [
    ...(previous ? [{ run: previous, role: 'previous' as const }] : []),
    ...(baseline ? [{ run: baseline, role: 'baseline' as const }] : []),
  ]
}
