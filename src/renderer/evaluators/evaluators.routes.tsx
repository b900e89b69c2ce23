import type { RouteObject } from 'react-router'
import { CalibrationPage } from './calibration-page.tsx'
import { DraftPage, NewDraftPage } from './drafts-pages.tsx'
import { DraftsPage } from './drafts-page.tsx'
import { EvaluatorEditorPage } from './evaluator-editor-page.tsx'
import { EvaluatorPage } from './evaluator-page.tsx'
import { EvaluatorsPage } from './evaluators-page.tsx'
import { RemoteScorersPage } from './remote-scorers-page.tsx'

export const evaluatorsRoutes: RouteObject[] = [
  { path: 'evaluators', element: <EvaluatorsPage /> },
  { path: 'evaluators/new', element: <EvaluatorEditorPage /> },
  { path: 'evaluators/remote-scorers', element: <RemoteScorersPage /> },
  { path: 'evaluators/drafts', element: <DraftsPage /> },
  { path: 'evaluators/drafts/new', element: <NewDraftPage /> },
  { path: 'evaluators/drafts/:draftId', element: <DraftPage /> },
  { path: 'evaluators/calibrations/:calibrationId', element: <CalibrationPage /> },
  { path: 'evaluators/:evaluatorVersionId', element: <EvaluatorPage /> },
]
