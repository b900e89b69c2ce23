import type { BodyExamples } from '../body-examples.ts'
import type { tuneGroupsEndpoints } from './groups.endpoints.ts'

export const tuneGroupsExamples: BodyExamples<typeof tuneGroupsEndpoints> = {
  approveTuneSession: { revision: 3, comment: 'Cases and grader are right.' },
  createTuneQuote: {
    candidates: [{ label: 'Cheaper', model: { kind: 'managed', route_id: 'assay/oracle-90' } }],
    mode: 'race',
    max_charge_microusd: '0',
  },
  startTuneGroup: { quote_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e01' },
}
