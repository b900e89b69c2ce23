import type { RouteObject } from 'react-router'
import { BenchmarkPage } from './benchmark-page.tsx'
import { CatalogPage } from './catalog-page.tsx'
import { EnvironmentPage } from './environment-page.tsx'
import { EnvironmentsPage } from './environments-page.tsx'
import { ImportPage } from './import-page.tsx'

export const catalogRoutes: RouteObject[] = [
  { path: 'catalog', element: <CatalogPage /> },
  { path: 'catalog/import', element: <ImportPage /> },
  { path: 'catalog/environments', element: <EnvironmentsPage /> },
  { path: 'catalog/environments/:family', element: <EnvironmentPage /> },
  { path: 'catalog/:slug', element: <BenchmarkPage /> },
]
