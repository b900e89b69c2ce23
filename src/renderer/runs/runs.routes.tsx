import { Navigate, type RouteObject } from 'react-router'
import { SamplePage } from '../samples/sample-page.tsx'
import { SamplesPage } from '../samples/samples-page.tsx'
import { RunOverview } from './run-overview.tsx'
import { RunPage } from './run-page.tsx'
import { RunsPage } from './runs-page.tsx'

export const runsRoutes: RouteObject[] = [
  { path: 'runs', element: <RunsPage /> },
  { path: 'runs/new', element: <Navigate to="/quotes/new" replace /> },
  {
    path: 'runs/:runId',
    element: <RunPage />,
    children: [
      { index: true, element: <RunOverview /> },
      { path: 'samples', element: <SamplesPage /> },
    ],
  },
  { path: 'runs/:runId/samples/:sampleId', element: <SamplePage /> },
]
