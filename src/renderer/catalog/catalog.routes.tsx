import type { RouteObject } from 'react-router'
import { BenchmarkPage } from './benchmark-page.tsx'
import { CatalogPage } from './catalog-page.tsx'
import { ImportPage } from './import-page.tsx'

export const catalogRoutes: RouteObject[] = [
  { path: 'catalog', element: <CatalogPage /> },
  { path: 'catalog/import', element: <ImportPage /> },
  { path: 'catalog/:slug', element: <BenchmarkPage /> },
]
