import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const datasetsRoutes: RouteObject[] = [
  { path: 'datasets', lazy: lazyPage(() => import('./datasets-page.tsx'), 'DatasetsPage') },
  { path: 'datasets/:datasetId', lazy: lazyPage(() => import('./dataset-page.tsx'), 'DatasetPage') },
  { path: 'datasets/:datasetId/review', lazy: lazyPage(() => import('./review-page.tsx'), 'ReviewPage') },
  { path: 'datasets/:datasetId/import', lazy: lazyPage(() => import('./import-examples-page.tsx'), 'ImportExamplesPage') },
  { path: 'datasets/:datasetId/versions/:versionId', lazy: lazyPage(() => import('./version-page.tsx'), 'VersionPage') },
]
