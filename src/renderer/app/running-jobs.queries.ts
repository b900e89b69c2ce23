import { useQuery } from '@tanstack/react-query'
import type { RunStatus } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'

const BUSY_MS = 2_000
const IDLE_MS = 10_000
/** Of each status: asked for from every page, so one request a status must do. */
const SHOWN = 20

const underWay = ['running', 'queued', 'cancelling'] as const satisfies readonly RunStatus[]

export interface RunningJobs {
  readonly runs: readonly Run[]
  /** Statuses of which only the newest runs are in `runs`. */
  readonly cut: readonly RunStatus[]
}

/** Runs that are queued, running or cancelling; asked often while there are any. */
export function useRunningJobs() {
  return useQuery({
    queryKey: ['runs', 'unfinished'],
    queryFn: async ({ signal }): Promise<RunningJobs> => {
      const pages = await Promise.all(underWay.map(status => call('listRuns', { query: { status, limit: SHOWN } }, { signal })))
      return {
        runs: pages.flatMap(({ items }) => items),
        cut: underWay.filter((_, at) => (pages[at]?.next_cursor ?? null) !== null),
      }
    },
    refetchInterval: query => (query.state.data?.runs.length ? BUSY_MS : IDLE_MS),
  })
}
