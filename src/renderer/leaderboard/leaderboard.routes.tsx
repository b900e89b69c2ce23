import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const leaderboardRoutes: RouteObject[] = [
  { path: 'leaderboard', lazy: lazyPage(() => import('./leaderboard-page.tsx'), 'LeaderboardPage') },
  { path: 'leaderboard/history', lazy: lazyPage(() => import('./score-history-page.tsx'), 'ScoreHistoryPage') },
]
