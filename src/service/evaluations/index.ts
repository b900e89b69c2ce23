export { createEvaluations, type Evaluations } from './evaluations.ts'
