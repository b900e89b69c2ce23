import { useQuery } from '@tanstack/react-query'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'

const BUSY_MS = 2_000
const IDLE_MS = 10_000

/** Runs that are queued, running or cancelling; asked often while there are any. */
export function useRunningJobs() {
  return useQuery({
    queryKey: ['runs', 'unfinished'],
    queryFn: async ({ signal }): Promise<readonly Run[]> => {
      const lists = await Promise.all(
        (['running', 'queued', 'cancelling'] as const).map(status =>
          everyPage(cursor => call('listRuns', { query: { status, cursor, limit: 100 } }, { signal })),
        ),
      )
      return lists.flat()
    },
    refetchInterval: query => (query.state.data?.length ? BUSY_MS : IDLE_MS),
  })
}
