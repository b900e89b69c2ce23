import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const schedulesRoutes: RouteObject[] = [
  { path: 'schedules', lazy: lazyPage(() => import('./schedules-page.tsx'), 'SchedulesPage') },
  { path: 'schedules/new', lazy: lazyPage(() => import('./new-schedule-page.tsx'), 'NewSchedulePage') },
  { path: 'schedules/:scheduleId', lazy: lazyPage(() => import('./schedule-page.tsx'), 'SchedulePage') },
]
