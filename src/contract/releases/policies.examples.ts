import type { BodyExamples } from '../body-examples.ts'
import type { releasePoliciesEndpoints } from './policies.endpoints.ts'

export const releasePoliciesExamples: BodyExamples<typeof releasePoliciesEndpoints> = {
  createReleasePolicy: {
    name: 'No worse than 2.0',
    rules: [
      { kind: 'non_inferiority', key: 'no-worse', margin: 0.02 },
      { kind: 'no_critical_regression', key: 'critical', max: 0 },
    ],
  },
}
