import type { RouteObject } from 'react-router'
import { EditConnectionPage, NewConnectionPage } from './connection-page.tsx'
import { ModelsPage } from './models-page.tsx'

export const modelsRoutes: RouteObject[] = [
  { path: 'models', element: <ModelsPage /> },
  { path: 'models/connections/new', element: <NewConnectionPage /> },
  { path: 'models/connections/:connectionId', element: <EditConnectionPage /> },
]
