import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const localModelsRoutes: RouteObject[] = [
  { path: 'models/local', lazy: lazyPage(() => import('./local-models-page.tsx'), 'LocalModelsPage') },
]
