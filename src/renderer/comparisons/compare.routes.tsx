import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const compareRoutes: RouteObject[] = [
  { path: 'compare', lazy: lazyPage(() => import('./comparisons-page.tsx'), 'ComparisonsPage') },
  { path: 'compare/new', lazy: lazyPage(() => import('./new-comparison-page.tsx'), 'NewComparisonPage') },
  { path: 'compare/rank', lazy: lazyPage(() => import('./rank-models-page.tsx'), 'RankModelsPage') },
  { path: 'compare/:comparisonId/matrix', lazy: lazyPage(() => import('./matrix-page.tsx'), 'MatrixPage') },
  { path: 'compare/:comparisonId', lazy: lazyPage(() => import('./comparison-page.tsx'), 'ComparisonPage') },
]
