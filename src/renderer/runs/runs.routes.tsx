import { Navigate, type RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'
import { RunOverview } from './run-overview.tsx'
import { RunPage } from './run-page.tsx'

export const runsRoutes: RouteObject[] = [
  { path: 'runs', lazy: lazyPage(() => import('./runs-page.tsx'), 'RunsPage') },
  { path: 'runs/new', element: <Navigate to="/quotes/new" replace /> },
  // Results are what people open most, from a mail as well: their code comes with the first file.
  {
    path: 'runs/:runId',
    element: <RunPage />,
    children: [
      { index: true, element: <RunOverview /> },
      { path: 'samples', lazy: lazyPage(() => import('../samples/samples-page.tsx'), 'SamplesPage') },
    ],
  },
  { path: 'runs/:runId/samples/:sampleId', lazy: lazyPage(() => import('../samples/sample-page.tsx'), 'SamplePage') },
]
