import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const evaluationsRoutes: RouteObject[] = [
  { path: 'suites/evaluations', lazy: lazyPage(() => import('./evaluations-page.tsx'), 'EvaluationsPage') },
  { path: 'suites/evaluations/:evaluationId', lazy: lazyPage(() => import('./evaluation-page.tsx'), 'EvaluationPage') },
]
