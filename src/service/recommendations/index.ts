export { recommendationsHandlers } from './recommendations.handlers.ts'
export { createRecommendations } from './recommendations.service.ts'
