import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

export const leaderboardQuery = queryOptions({
  queryKey: ['runs', 'leaderboard'],
  queryFn: ({ signal }) => call('getLeaderboard', {}, { signal }),
})

export const pinnedRunsQuery = (benchmark: string) =>
  queryOptions({
    queryKey: ['runs', 'pinned', benchmark],
    queryFn: ({ signal }) => call('listRuns', { query: { benchmark, pinned: 'true', has_result: 'true', limit: 100 } }, { signal }),
    select: ({ items }) => items,
  })
