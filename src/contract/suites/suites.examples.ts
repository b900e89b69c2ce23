import type { BodyExamples } from '../body-examples.ts'
import type { suitesEndpoints } from './suites.endpoints.ts'

export const suitesExamples: BodyExamples<typeof suitesEndpoints> = {
  createSuite: {
    name: 'Three word problems',
    task_selections: [{ source_ref: 'eval://assay/arithmetic-word-problems/1.0', split: 'test', task_ids: ['p-001', 'p-002', 'p-003'] }],
  },
}
