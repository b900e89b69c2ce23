import type { BodyExamples } from '../body-examples.ts'
import type { issuesEndpoints } from './issues.endpoints.ts'

export const issuesExamples: BodyExamples<typeof issuesEndpoints> = {
  createIssueEvent: {
    type: 'open',
    title: 'Refunds are answered as bugs',
    severity: 'high',
    tasks: [{ source_ref: 'eval://local/support/1.0', task_id: 'refund-17' }],
  },
}
