import type { BodyExamples } from '../body-examples.ts'
import type { runGroupsEndpoints } from './run-groups.endpoints.ts'

export const runGroupsExamples: BodyExamples<typeof runGroupsEndpoints> = {
  quoteRunGroup: {
    models: [
      { kind: 'managed', route_id: 'assay/oracle-75' },
      { kind: 'managed', route_id: 'assay/oracle-50' },
    ],
    selection: { profile_ids: ['arithmetic-word-problems@1.0.0-seed20261101:zero-shot'] },
    coverage: { mode: 'sample', sample_count: 100, seed: 1 },
    max_charge_microusd: '0',
  },
  createRunGroup: {
    name: 'Two models on arithmetic',
    quote_ids: ['0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e01', '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e02'],
    max_charge_microusd: '0',
  },
}
