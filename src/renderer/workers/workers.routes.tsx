import type { RouteObject } from 'react-router'
import { WorkersPage } from './workers-page.tsx'

export const workersRoutes: RouteObject[] = [{ path: 'settings/workers', element: <WorkersPage /> }]
