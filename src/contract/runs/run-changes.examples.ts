import type { BodyExamples } from '../body-examples.ts'
import type { runChangesEndpoints } from './run-changes.endpoints.ts'

export const runChangesExamples: BodyExamples<typeof runChangesEndpoints> = {
  changeRun: { name: 'Word problems, first try', concurrency: 4 },
  retrySamples: { sample_ids: ['0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0d'] },
  createRegradeQuote: { evaluator_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e08', max_charge_microusd: '500000' },
  regradeRun: { metrics: [{ profile_id: 'arithmetic-word-problems@1.0.0-seed20261101:zero-shot', metric: 'accuracy' }] },
}
