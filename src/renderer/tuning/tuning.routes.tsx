import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const tuningRoutes: RouteObject[] = [
  { path: 'tuning', lazy: lazyPage(() => import('./sessions-page.tsx'), 'SessionsPage') },
  { path: 'tuning/new', lazy: lazyPage(() => import('./new-session-page.tsx'), 'NewSessionPage') },
  { path: 'tuning/monitors', lazy: lazyPage(() => import('./monitors-page.tsx'), 'MonitorsPage') },
  { path: 'tuning/monitors/new', lazy: lazyPage(() => import('./new-monitor-page.tsx'), 'NewMonitorPage') },
  { path: 'tuning/monitors/:monitorId', lazy: lazyPage(() => import('./monitor-page.tsx'), 'MonitorPage') },
  { path: 'tuning/:sessionId', lazy: lazyPage(() => import('./session-page.tsx'), 'SessionPage') },
]
