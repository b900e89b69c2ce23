import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const runGroupsRoutes: RouteObject[] = [
  { path: 'run-groups/:groupId', lazy: lazyPage(() => import('./run-group-page.tsx'), 'RunGroupPage') },
]
