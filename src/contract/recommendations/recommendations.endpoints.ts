import { endpoints } from '../endpoint.ts'
import { Recommendation, RecommendationRequest } from './recommendations.schemas.ts'

export const recommendationsEndpoints = endpoints('Recommendations', {
  recommendTasks: {
    route: 'POST /v1/recommendations',
    summary: 'Suggest exact tasks for an objective',
    description:
      'A preview: starts no work and makes no quote. The same catalog, history and request give the same answer. Selections can be sent to a suite or an evaluation as they are; ' +
      'a result on them is not a full benchmark score.',
    scope: 'recommendations:read',
    computes: true,
    body: RecommendationRequest,
    response: Recommendation,
  },
})
