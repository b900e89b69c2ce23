import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const catalogRoutes: RouteObject[] = [
  { path: 'catalog', lazy: lazyPage(() => import('./catalog-page.tsx'), 'CatalogPage') },
  { path: 'catalog/import', lazy: lazyPage(() => import('./import-page.tsx'), 'ImportPage') },
  { path: 'catalog/environments', lazy: lazyPage(() => import('./environments-page.tsx'), 'EnvironmentsPage') },
  { path: 'catalog/environments/:family', lazy: lazyPage(() => import('./environment-page.tsx'), 'EnvironmentPage') },
  { path: 'catalog/:slug', lazy: lazyPage(() => import('./benchmark-page.tsx'), 'BenchmarkPage') },
]
