import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'

export const leaderboardQuery = queryOptions({
  queryKey: ['runs', 'leaderboard'],
  queryFn: ({ signal }) => call('getLeaderboard', {}, { signal }),
})

export const pinnedRunsQuery = (benchmark: string) =>
  queryOptions({
    queryKey: ['runs', 'pinned', benchmark],
    queryFn: ({ signal }) =>
      everyPage(cursor => call('listRuns', { query: { benchmark, pinned: 'true', has_result: 'true', cursor, limit: 100 } }, { signal })),
  })
