import type { BodyExamples } from '../body-examples.ts'
import type { comparisonsEndpoints } from './comparisons.endpoints.ts'

export const comparisonsExamples: BodyExamples<typeof comparisonsEndpoints> = {
  rankModels: {
    battles: [
      { model_a: 'north', model_b: 'south', winner: 'model_a' },
      { model_a: 'south', model_b: 'north', winner: 'tie' },
    ],
    resamples: 0,
  },
  createComparison: {
    name: 'A or B',
    run_ids: ['0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e02', '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e03'],
    baseline_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e02',
  },
}
