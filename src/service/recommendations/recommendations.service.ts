import { ApiError } from '../../contract/errors.ts'
import type { Recommendation, RecommendationRequest } from '../../contract/recommendations/recommendations.schemas.ts'
import { modelIdentity } from '../../lib/model-identity.ts'
import type { Workers } from '../../workers/pool.ts'
import type { CatalogService } from '../catalog/index.ts'
import type { Connections } from '../connections/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findModel, type SelectedModel, storeInformedSelection } from '../quotes/index.ts'
import { gatherSubjects } from './gather-subjects.ts'
import { describeRecommendation } from './word-recommendation.ts'

export interface Recommendations {
  recommend(workspaceId: string, request: RecommendationRequest): Promise<Recommendation>
}

export interface RecommendationsDependencies {
  readonly catalog: CatalogService
  readonly connections: Connections
  readonly workers: Workers
}

export function createRecommendations(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  { catalog, connections, workers }: RecommendationsDependencies,
): Recommendations {
  return {
    recommend: async (workspaceId, request) => {
      const models = modelsOf(request.models, choice => findModel(choice, workspaceId, catalog, connections))
      await catalog.ready(workspaceId)
      const subjects = gatherSubjects(catalog, workspaceId, models)
      const judged = models.map(({ snapshot }) => modelIdentity(snapshot))
      const answer = await workers.recommend({
        workspaceId,
        objective: request.objective,
        subjects: subjects.map(({ text, capabilities, tasks }) => ({ text, capabilities, tasks })),
        limit: request.task_limit,
        budget: request.budget_microusd === undefined ? null : Number(request.budget_microusd),
        rates: models.map(({ snapshot }) => ratesOf(snapshot)),
        judged,
      })
      const taskNumbers = answer.chosen.map(({ task }) => task.no)
      if (taskNumbers.length > 0 && answer.informedBy.length + judged.length > 0)
        storeInformedSelection(db, { workspaceId, informedBy: answer.informedBy, leftOut: judged, taskNumbers, at: timestamp(clock) })
      return describeRecommendation(request, subjects, answer)
    },
  }
}

/** Null where they are not known. */
function ratesOf({ rates }: SelectedModel['snapshot']) {
  return rates && { input: Number(rates.input_microusd_per_million), output: Number(rates.output_microusd_per_million) }
}

/** Every model that does not exist is named. */
function modelsOf(
  asked: RecommendationRequest['models'],
  find: (choice: Exclude<RecommendationRequest['models'][number], string>) => SelectedModel | null,
): SelectedModel[] {
  const found = asked.map(one =>
    typeof one === 'string' ? (find({ kind: 'managed', route_id: one }) ?? find({ kind: 'connection', connection_id: one })) : find(one),
  )
  const unknown = asked.flatMap((one, i) =>
    found[i]
      ? []
      : [
          {
            loc: ['body', 'models', i],
            msg: `there is no model route or connection "${nameOf(one).slice(0, 100)}"; GET /v1/catalog/models and GET /v1/connections list them`,
            type: 'unknown_model',
          },
        ],
  )
  if (unknown.length > 0) throw new ApiError('validation_error', unknown.map(({ msg }) => msg).join('; '), { detail: unknown })
  return found.filter(model => model !== null)
}

function nameOf(model: RecommendationRequest['models'][number]): string {
  return typeof model === 'string' ? model : model.kind === 'managed' ? model.route_id : model.connection_id
}
