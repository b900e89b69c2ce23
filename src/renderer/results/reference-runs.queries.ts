import { useQuery } from '@tanstack/react-query'
import type { ReferenceRun } from '../../contract/runs/reference-runs.schemas.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { call } from '../api/client.ts'

const A_MINUTE_MS = 60_000

/** Scores of the same profile to read this run's score beside: the run before it, and a baseline. */
export function useReferenceRuns({ run_id: id, result_version: version }: Results, profileId: string): readonly ReferenceRun[] {
  const { data } = useQuery({
    queryKey: ['runs', 'references', id, version],
    queryFn: ({ signal }) => call('getReferenceRuns', { params: { run_id: id } }, { signal }),
    staleTime: A_MINUTE_MS,
  })
  return (data?.items ?? []).filter(one => one.profile_id === profileId)
}
