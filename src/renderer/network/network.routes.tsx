import type { RouteObject } from 'react-router'
import { NetworkPage } from './network-page.tsx'

export const networkRoutes: RouteObject[] = [{ path: 'settings/network', element: <NetworkPage /> }]
