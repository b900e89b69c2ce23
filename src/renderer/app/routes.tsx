import type { RouteObject } from 'react-router'
import { CrashPage } from './crash-page.tsx'
import { featureRoutes } from './features.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { SessionGate } from './session-gate.tsx'
import { Shell } from './shell.tsx'

export const routes: RouteObject[] = [
  {
    element: <SessionGate />,
    errorElement: <CrashPage />,
    children: [
      {
        element: <Shell />,
        // Around each page, so that a page that breaks leaves the shell standing.
        children: [{ errorElement: <CrashPage />, children: [...featureRoutes, { path: '*', element: <NotFoundPage /> }] }],
      },
    ],
  },
]
