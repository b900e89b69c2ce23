import type { BodyExamples } from '../body-examples.ts'
import type { evaluatorsEndpoints } from './evaluators.endpoints.ts'

export const evaluatorsExamples: BodyExamples<typeof evaluatorsEndpoints> = {
  createEvaluator: { name: 'Exact answer', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
  tryEvaluator: { definition: { kind: 'deterministic', scorer: 'assay/exact_match' }, output: 'Paris', expected: 'Paris' },
  runEvaluatorTrial: {
    definition: {
      kind: 'model_graded',
      judges: [{ model: { kind: 'connection', connection_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e08' } }],
      mode: 'classification',
      instructions: 'Is the answer right?',
      menu: [{ value: 'right', passes: true }, { value: 'wrong' }],
    },
    output: 'Paris',
    max_charge_microusd: '10000',
  },
  createEvaluatorDraft: { dataset_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e07', mode: 'heuristic' },
  previewEvaluator: {
    evaluator_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e08',
    dataset_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e07',
    example_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e09',
  },
  quoteCalibration: {
    evaluator_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e08',
    dataset_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e07',
  },
  createCalibration: {
    evaluator_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e08',
    dataset_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e07',
    minimum: { kappa: 0.6 },
  },
  changeCalibration: { max_charge_microusd: '5000000' },
}
