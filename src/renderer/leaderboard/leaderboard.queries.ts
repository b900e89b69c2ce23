import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

export const leaderboardQuery = queryOptions({
  queryKey: ['runs', 'leaderboard'],
  queryFn: ({ signal }) => call('getLeaderboard', {}, { signal }),
})
