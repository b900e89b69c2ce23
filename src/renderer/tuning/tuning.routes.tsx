import type { RouteObject } from 'react-router'
import { MonitorPage } from './monitor-page.tsx'
import { MonitorsPage } from './monitors-page.tsx'
import { NewMonitorPage } from './new-monitor-page.tsx'
import { NewSessionPage } from './new-session-page.tsx'
import { SessionPage } from './session-page.tsx'
import { SessionsPage } from './sessions-page.tsx'

export const tuningRoutes: RouteObject[] = [
  { path: 'tuning', element: <SessionsPage /> },
  { path: 'tuning/new', element: <NewSessionPage /> },
  { path: 'tuning/monitors', element: <MonitorsPage /> },
  { path: 'tuning/monitors/new', element: <NewMonitorPage /> },
  { path: 'tuning/monitors/:monitorId', element: <MonitorPage /> },
  { path: 'tuning/:sessionId', element: <SessionPage /> },
]
