import type { RouteObject } from 'react-router'
import { answersRoutes } from '../answers/answers.routes.tsx'
import { catalogRoutes } from '../catalog/catalog.routes.tsx'
import { compareRoutes } from '../comparisons/compare.routes.tsx'
import { creatorRoutes } from '../creator/creator.routes.tsx'
import { datasetsRoutes } from '../datasets/datasets.routes.tsx'
import { evaluationsRoutes } from '../evaluations/evaluations.routes.tsx'
import { evaluatorsRoutes } from '../evaluators/evaluators.routes.tsx'
import { feedbackRoutes } from '../feedback/feedback.routes.tsx'
import { guideRoutes } from '../guide/guide.routes.tsx'
import { homeRoutes } from '../home/home.routes.tsx'
import { leaderboardRoutes } from '../leaderboard/leaderboard.routes.tsx'
import { localModelsRoutes } from '../local-models/local-models.routes.tsx'
import { modelsRoutes } from '../connections/models.routes.tsx'
import { networkRoutes } from '../network/network.routes.tsx'
import { quotesRoutes } from '../quotes/quotes.routes.tsx'
import { releasesRoutes } from '../releases/releases.routes.tsx'
import { runGroupsRoutes } from '../run-groups/run-groups.routes.tsx'
import { runsRoutes } from '../runs/runs.routes.tsx'
import { schedulesRoutes } from '../schedules/schedules.routes.tsx'
import { settingsRoutes } from '../settings/settings.routes.tsx'
import { suitesRoutes } from '../suites/suites.routes.tsx'
import { tracesRoutes } from '../traces/traces.routes.tsx'
import { tuningRoutes } from '../tuning/tuning.routes.tsx'
import { webhooksRoutes } from '../webhooks/webhooks.routes.tsx'
import { workersRoutes } from '../workers/workers.routes.tsx'
import { worldsRoutes } from '../worlds/worlds.routes.tsx'
import { workspaceRoutes } from '../workspace/workspace.routes.tsx'

/** Every page of the app. A feature adds its `<feature>.routes.tsx` here, and its entry to `navigation.ts`. */
export const featureRoutes: RouteObject[] = [
  ...homeRoutes,
  ...catalogRoutes,
  ...modelsRoutes,
  ...localModelsRoutes,
  ...quotesRoutes,
  ...answersRoutes,
  ...runsRoutes,
  ...runGroupsRoutes,
  ...schedulesRoutes,
  ...compareRoutes,
  ...leaderboardRoutes,
  ...suitesRoutes,
  ...datasetsRoutes,
  ...evaluationsRoutes,
  ...tracesRoutes,
  ...worldsRoutes,
  ...evaluatorsRoutes,
  ...releasesRoutes,
  ...creatorRoutes,
  ...tuningRoutes,
  ...feedbackRoutes,
  ...workspaceRoutes,
  ...webhooksRoutes,
  ...settingsRoutes,
  ...networkRoutes,
  ...workersRoutes,
  ...guideRoutes,
]
