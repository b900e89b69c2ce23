import type { recommendationsEndpoints } from '../../contract/recommendations/recommendations.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Recommendations } from './recommendations.service.ts'

export function recommendationsHandlers(recommendations: Recommendations): Handlers<typeof recommendationsEndpoints> {
  return {
    recommendTasks: ({ workspaceId }, { body }) => recommendations.recommend(workspaceId, body),
  }
}
