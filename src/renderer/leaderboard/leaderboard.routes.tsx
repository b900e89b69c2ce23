import type { RouteObject } from 'react-router'
import { LeaderboardPage } from './leaderboard-page.tsx'

export const leaderboardRoutes: RouteObject[] = [{ path: 'leaderboard', element: <LeaderboardPage /> }]
