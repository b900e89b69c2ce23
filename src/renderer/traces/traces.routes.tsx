import type { RouteObject } from 'react-router'
import { ConnectPage } from './connect-page.tsx'
import { IntegrationPage } from './integration-page.tsx'
import { IntegrationsPage } from './integrations-page.tsx'
import { TracePage } from './trace-page.tsx'
import { TracesPage } from './traces-page.tsx'

export const tracesRoutes: RouteObject[] = [
  { path: 'traces', element: <TracesPage /> },
  { path: 'traces/integrations', element: <IntegrationsPage /> },
  { path: 'traces/integrations/new', element: <ConnectPage /> },
  { path: 'traces/integrations/:integrationId', element: <IntegrationPage /> },
  { path: 'traces/:traceId', element: <TracePage /> },
]
