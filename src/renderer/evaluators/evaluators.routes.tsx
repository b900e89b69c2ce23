import type { RouteObject } from 'react-router'
import { lazyPage } from '../ui/page/lazy-page.ts'

export const evaluatorsRoutes: RouteObject[] = [
  { path: 'evaluators', lazy: lazyPage(() => import('./evaluators-page.tsx'), 'EvaluatorsPage') },
  { path: 'evaluators/new', lazy: lazyPage(() => import('./evaluator-editor-page.tsx'), 'EvaluatorEditorPage') },
  { path: 'evaluators/remote-scorers', lazy: lazyPage(() => import('./remote-scorers-page.tsx'), 'RemoteScorersPage') },
  { path: 'evaluators/drafts', lazy: lazyPage(() => import('./drafts-page.tsx'), 'DraftsPage') },
  { path: 'evaluators/drafts/new', lazy: lazyPage(() => import('./drafts-pages.tsx'), 'NewDraftPage') },
  { path: 'evaluators/drafts/:draftId', lazy: lazyPage(() => import('./drafts-pages.tsx'), 'DraftPage') },
  { path: 'evaluators/calibrations/:calibrationId', lazy: lazyPage(() => import('./calibration-page.tsx'), 'CalibrationPage') },
  { path: 'evaluators/:evaluatorVersionId', lazy: lazyPage(() => import('./evaluator-page.tsx'), 'EvaluatorPage') },
]
