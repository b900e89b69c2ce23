import type { RouteObject } from 'react-router'
import { DatasetPage } from './dataset-page.tsx'
import { DatasetsPage } from './datasets-page.tsx'
import { ImportExamplesPage } from './import-examples-page.tsx'
import { ReviewPage } from './review-page.tsx'
import { VersionPage } from './version-page.tsx'

export const datasetsRoutes: RouteObject[] = [
  { path: 'datasets', element: <DatasetsPage /> },
  { path: 'datasets/:datasetId', element: <DatasetPage /> },
  { path: 'datasets/:datasetId/review', element: <ReviewPage /> },
  { path: 'datasets/:datasetId/import', element: <ImportExamplesPage /> },
  { path: 'datasets/:datasetId/versions/:versionId', element: <VersionPage /> },
]
