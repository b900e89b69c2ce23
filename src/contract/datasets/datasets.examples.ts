import type { BodyExamples } from '../body-examples.ts'
import type { datasetsEndpoints } from './datasets.endpoints.ts'

export const datasetsExamples: BodyExamples<typeof datasetsEndpoints> = {
  createDataset: { name: 'Support tickets', task: 'classify', labels: ['refund', 'bug', 'other'] },
  updateDataset: { description: 'Tickets of 2026' },
  addExamples: { examples: [{ input: 'I was charged twice.', label: 'refund' }] },
  reviseExample: { base_revision: 1, input: 'I was charged twice in May.' },
  labelExample: { revision: 1, value: 'refund', note: 'Asks for money back' },
  reviewExamples: { examples: [{ example_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0a', revision: 1 }], decision: 'submit' },
  reviewExample: { revision: 1, decision: 'submit' },
}
