import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const guideRoutes: RouteObject[] = [
  { path: 'guide', lazy: lazyPage(() => import('./guide-page.tsx'), 'GuidePage') },
  { path: 'guide/:slug', lazy: lazyPage(() => import('./guide-page.tsx'), 'GuidePage') },
]
