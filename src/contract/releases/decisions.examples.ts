import type { BodyExamples } from '../body-examples.ts'
import type { decisionTasksEndpoints } from './decision-tasks.endpoints.ts'
import type { releaseDecisionsEndpoints } from './decisions.endpoints.ts'

export const releaseDecisionsExamples: BodyExamples<typeof releaseDecisionsEndpoints & typeof decisionTasksEndpoints> = {
  createReleaseDecision: {
    name: 'Release 2.1',
    candidate: { label: '2.1', model: { kind: 'managed', route_id: 'assay/oracle-90' } },
    baseline: { label: '2.0', model: { kind: 'managed', route_id: 'assay/oracle-75' } },
    suite_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0b',
    policy_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0c',
    max_charge_microusd: '0',
  },
  previewReleasePlan: {
    groups: [{ key: 'all', tasks: 200 }],
    rules: [{ key: 'not-worse', kind: 'non_inferiority', margin: 0.05 }],
  },
  selectDecisionTasks: { change: 'lost' },
}
