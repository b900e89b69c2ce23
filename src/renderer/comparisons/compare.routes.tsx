import type { RouteObject } from 'react-router'
import { ComparisonPage } from './comparison-page.tsx'
import { ComparisonsPage } from './comparisons-page.tsx'
import { NewComparisonPage } from './new-comparison-page.tsx'

export const compareRoutes: RouteObject[] = [
  { path: 'compare', element: <ComparisonsPage /> },
  { path: 'compare/new', element: <NewComparisonPage /> },
  { path: 'compare/:comparisonId', element: <ComparisonPage /> },
]
