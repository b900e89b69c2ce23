import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const suitesRoutes: RouteObject[] = [
  { path: 'suites', lazy: lazyPage(() => import('./suites-page.tsx'), 'SuitesPage') },
  { path: 'suites/new', lazy: lazyPage(() => import('./new-suite-page.tsx'), 'NewSuitePage') },
  { path: 'suites/:suiteId', lazy: lazyPage(() => import('./suite-page.tsx'), 'SuitePage') },
  { path: 'suites/:suiteId/evaluate', lazy: lazyPage(() => import('./evaluate-suite-page.tsx'), 'EvaluateSuitePage') },
]
