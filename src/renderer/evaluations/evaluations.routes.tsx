import type { RouteObject } from 'react-router'
import { EvaluationPage } from './evaluation-page.tsx'
import { EvaluationsPage } from './evaluations-page.tsx'

export const evaluationsRoutes: RouteObject[] = [
  { path: 'suites/evaluations', element: <EvaluationsPage /> },
  { path: 'suites/evaluations/:evaluationId', element: <EvaluationPage /> },
]
