import type { RouteObject } from 'react-router'
import { EvaluateSuitePage } from './evaluate-suite-page.tsx'
import { NewSuitePage } from './new-suite-page.tsx'
import { SuitePage } from './suite-page.tsx'
import { SuitesPage } from './suites-page.tsx'

export const suitesRoutes: RouteObject[] = [
  { path: 'suites', element: <SuitesPage /> },
  { path: 'suites/new', element: <NewSuitePage /> },
  { path: 'suites/:suiteId', element: <SuitePage /> },
  { path: 'suites/:suiteId/evaluate', element: <EvaluateSuitePage /> },
]
