import type { BodyExamples } from '../body-examples.ts'
import type { evaluationsEndpoints } from './evaluations.endpoints.ts'

export const evaluationsExamples: BodyExamples<typeof evaluationsEndpoints> = {
  createEvaluation: {
    name: 'Suite on oracle-75',
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    suite_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e06',
    max_charge_microusd: '0',
  },
  quoteEvaluation: {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    suite_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e06',
    max_charge_microusd: '0',
  },
}
