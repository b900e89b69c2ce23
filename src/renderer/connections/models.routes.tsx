import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const modelsRoutes: RouteObject[] = [
  { path: 'models', lazy: lazyPage(() => import('./models-page.tsx'), 'ModelsPage') },
  // The id of a new one is "new".
  { path: 'models/connections/:connectionId', lazy: lazyPage(() => import('./connection-page.tsx'), 'ConnectionPage') },
]
