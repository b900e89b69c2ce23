import type { feedbackEndpoints } from '../../contract/feedback/feedback.endpoints.ts'
import { requireRole } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { Feedback } from './feedback.service.ts'

export function feedbackHandlers(feedback: Feedback): Handlers<typeof feedbackEndpoints> {
  return {
    sendFeedback: ({ workspaceId, principal, userAgent }, { body }) =>
      feedback.send({ workspaceId, principalId: principal.id, userAgent }, body),
    listFeedback: ({ workspaceId }, { query }) => feedback.list(workspaceId, query),
    getFeedback: ({ workspaceId }, { params }) => feedback.read(workspaceId, params.feedback_id),
    triageFeedback: ({ workspaceId, principal, workspace }, { params, body }) => {
      requireRole(principal, workspace, ['owner', 'admin'], 'triage feedback')
      return feedback.triage(workspaceId, params.feedback_id, body)
    },
  }
}
