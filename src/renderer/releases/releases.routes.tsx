import type { RouteObject } from 'react-router'
import { AssetsPage } from './assets-page.tsx'
import { CoveragePage } from './coverage-page.tsx'
import { DecisionPage } from './decision-page.tsx'
import { EvidenceDetailPage } from './evidence-detail-page.tsx'
import { EvidencePage } from './evidence-page.tsx'
import { IssuesPage } from './issues-page.tsx'
import { LabelQueuePage } from './label-queue-page.tsx'
import { NewDecisionPage } from './new-decision-page.tsx'
import { ReleasesPage } from './releases-page.tsx'

export const releasesRoutes: RouteObject[] = [
  { path: 'releases', element: <ReleasesPage /> },
  { path: 'releases/new', element: <NewDecisionPage /> },
  { path: 'releases/assets', element: <AssetsPage /> },
  { path: 'releases/evidence', element: <EvidencePage /> },
  { path: 'releases/evidence/:evidenceId', element: <EvidenceDetailPage /> },
  { path: 'releases/issues', element: <IssuesPage /> },
  { path: 'releases/coverage', element: <CoveragePage /> },
  { path: 'releases/:decisionId', element: <DecisionPage /> },
  { path: 'releases/:decisionId/labels', element: <LabelQueuePage /> },
]
