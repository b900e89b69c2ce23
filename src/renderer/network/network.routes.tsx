import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const networkRoutes: RouteObject[] = [
  { path: 'settings/network', lazy: lazyPage(() => import('./network-page.tsx'), 'NetworkPage') },
]
