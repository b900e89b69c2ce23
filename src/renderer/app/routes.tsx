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
        // The first page's code may come after the shell's: its place is empty for that moment.
        children: [
          {
            errorElement: <CrashPage />,
            hydrateFallbackElement: <></>,
            children: [...featureRoutes, { path: '*', element: <NotFoundPage /> }],
          },
        ],
      },
    ],
  },
]
