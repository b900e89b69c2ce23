import type { RouteObject } from 'react-router'
import { ConnectionPage } from './connection-page.tsx'
import { ModelsPage } from './models-page.tsx'

export const modelsRoutes: RouteObject[] = [
  { path: 'models', element: <ModelsPage /> },
  // The id of a new one is "new".
  { path: 'models/connections/:connectionId', element: <ConnectionPage /> },
]
