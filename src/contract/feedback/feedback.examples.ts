import type { BodyExamples } from '../body-examples.ts'
import type { feedbackEndpoints } from './feedback.endpoints.ts'

export const feedbackExamples: BodyExamples<typeof feedbackEndpoints> = {
  sendFeedback: {
    kind: 'bug',
    severity: 'degraded',
    summary: 'The export of a run without scores is empty.',
    attempted: { method: 'GET', path: '/v1/runs/RUN_ID/export' },
  },
  triageFeedback: { status: 'declined', resolution_note: 'Runs without scores have nothing to export.' },
}
