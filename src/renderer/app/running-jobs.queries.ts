import { useQuery } from '@tanstack/react-query'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { call } from '../api/client.ts'

const BUSY_MS = 2_000
const IDLE_MS = 10_000

/** Runs that are queued, running or cancelling; asked often while there are any. */
export function useRunningJobs() {
  return useQuery({
    queryKey: ['runs', 'unfinished'],
    queryFn: async ({ signal }): Promise<readonly Run[]> => {
      const pages = await Promise.all(
        (['running', 'queued', 'cancelling'] as const).map(status => call('listRuns', { query: { status, limit: 20 } }, { signal })),
      )
      return pages.flatMap(page => page.items)
    },
    refetchInterval: query => (query.state.data?.length ? BUSY_MS : IDLE_MS),
  })
}
