import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const homeRoutes: RouteObject[] = [{ index: true, lazy: lazyPage(() => import('./home-page.tsx'), 'HomePage') }]
