export { evaluationsHandlers } from './evaluations.handlers.ts'
export { createEvaluations, type Evaluations } from './evaluations.service.ts'
