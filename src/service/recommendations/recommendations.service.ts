import { ApiError, type ModelRoute, type Recommendation, type RecommendationRequest } from '../../contract/index.ts'
import type { Workers } from '../../workers/pool.ts'
import type { CatalogService } from '../catalog/index.ts'
import { gatherSubjects } from './gather-subjects.ts'
import { wordRecommendation } from './word-recommendation.ts'

export interface Recommendations {
  recommend(workspaceId: string, request: RecommendationRequest): Promise<Recommendation>
}

export function createRecommendations({
  catalog,
  workers,
}: {
  readonly catalog: CatalogService
  readonly workers: Workers
}): Recommendations {
  return {
    recommend: async (workspaceId, request) => {
      const models = routesOf(catalog, workspaceId, request.models)
      const subjects = gatherSubjects(catalog, workspaceId, models)
      const answer = await workers.recommend({
        workspaceId,
        objective: request.objective,
        subjects: subjects.map(({ text, capabilities, tasks }) => ({ text, capabilities, tasks })),
        limit: request.task_limit,
        budget: request.budget_microusd === undefined ? null : Number(request.budget_microusd),
        rates: models.map(({ rates }) => ({
          input: Number(rates.input_microusd_per_million),
          output: Number(rates.output_microusd_per_million),
        })),
      })
      return wordRecommendation(request, subjects, answer)
    },
  }
}

/** Every route that does not exist is named. */
function routesOf(catalog: CatalogService, workspaceId: string, ids: readonly string[]): ModelRoute[] {
  const found = ids.map(id => catalog.route(workspaceId, id))
  const unknown = ids.flatMap((id, i) =>
    found[i]
      ? []
      : [
          {
            loc: ['body', 'models', i],
            msg: `there is no model route "${id.slice(0, 100)}"; GET /v1/catalog/models lists them`,
            type: 'unknown_route',
          },
        ],
  )
  if (unknown.length > 0) throw new ApiError('validation_error', unknown.map(({ msg }) => msg).join('; '), { detail: unknown })
  return found.filter(route => route !== null)
}
