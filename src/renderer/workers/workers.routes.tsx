import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const workersRoutes: RouteObject[] = [
  { path: 'settings/workers', lazy: lazyPage(() => import('./workers-page.tsx'), 'WorkersPage') },
]
