import type { Kernel } from '../kernel.ts'
import { createSuites, suitesHandlers } from '../suites/index.ts'
import { evaluationsHandlers } from './evaluations.handlers.ts'
import { createEvaluationRecords, type EvaluationsDependencies } from './evaluations.service.ts'

export type Evaluations = ReturnType<typeof createEvaluations>

/** Suites, and the jobs that run one. */
export function createEvaluations(kernel: Kernel, dependencies: Omit<EvaluationsDependencies, 'suites'>) {
  const suites = createSuites(kernel)
  const records = createEvaluationRecords(kernel, { ...dependencies, suites })
  return { ...records, suites, handlers: { ...suitesHandlers(suites), ...evaluationsHandlers(records) } }
}
