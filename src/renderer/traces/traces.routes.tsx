import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const tracesRoutes: RouteObject[] = [
  { path: 'traces', lazy: lazyPage(() => import('./traces-page.tsx'), 'TracesPage') },
  { path: 'traces/integrations', lazy: lazyPage(() => import('./integrations-page.tsx'), 'IntegrationsPage') },
  { path: 'traces/integrations/new', lazy: lazyPage(() => import('./connect-page.tsx'), 'ConnectPage') },
  { path: 'traces/integrations/:integrationId', lazy: lazyPage(() => import('./integration-page.tsx'), 'IntegrationPage') },
  { path: 'traces/:traceId', lazy: lazyPage(() => import('./trace-page.tsx'), 'TracePage') },
]
