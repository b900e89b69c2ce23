import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const webhooksRoutes: RouteObject[] = [
  { path: 'workspace/webhooks', lazy: lazyPage(() => import('./webhooks-page.tsx'), 'WebhooksPage') },
]
