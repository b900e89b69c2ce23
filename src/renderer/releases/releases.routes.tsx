import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const releasesRoutes: RouteObject[] = [
  { path: 'releases', lazy: lazyPage(() => import('./releases-page.tsx'), 'ReleasesPage') },
  { path: 'releases/new', lazy: lazyPage(() => import('./new-decision-page.tsx'), 'NewDecisionPage') },
  { path: 'releases/assets', lazy: lazyPage(() => import('./assets-page.tsx'), 'AssetsPage') },
  { path: 'releases/evidence', lazy: lazyPage(() => import('./evidence-page.tsx'), 'EvidencePage') },
  { path: 'releases/evidence/:evidenceId', lazy: lazyPage(() => import('./evidence-detail-page.tsx'), 'EvidenceDetailPage') },
  { path: 'releases/issues', lazy: lazyPage(() => import('./issues-page.tsx'), 'IssuesPage') },
  { path: 'releases/coverage', lazy: lazyPage(() => import('./coverage-page.tsx'), 'CoveragePage') },
  { path: 'releases/:decisionId', lazy: lazyPage(() => import('./decision-page.tsx'), 'DecisionPage') },
  { path: 'releases/:decisionId/run', lazy: lazyPage(() => import('./run-selection-page.tsx'), 'RunSelectionPage') },
  { path: 'releases/:decisionId/labels', lazy: lazyPage(() => import('./label-queue-page.tsx'), 'LabelQueuePage') },
]
