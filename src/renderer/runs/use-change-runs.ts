import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../contract/api.ts'
import type { Request } from '../../contract/endpoint.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'

export type RunsChange = NonNullable<Request<Api['changeRuns']>['body']>
/** The runs that are ticked, or all that the filters match and how many those were. */
export type RunsTarget = Pick<RunsChange, 'run_ids' | 'filter' | 'expected'>

/** Runs are in lists, folders, tags and the leaderboard: all of it is read again. */
export function useChangeRuns() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RunsChange) => call('changeRuns', { body }),
    onSettled: () => client.invalidateQueries(),
  })
}

export const runsInWords = (count: number): string => (count === 1 ? '1 run' : `${formatCount(count)} runs`)
