export { evaluatorsHandlers, remoteScorersHandlers } from './evaluators.handlers.ts'
export { createEvaluators, type Evaluators } from './evaluators.ts'
