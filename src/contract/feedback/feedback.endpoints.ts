import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { feedbackMachine } from './feedback.machine.ts'
import { FeedbackBody, feedbackLimits, FeedbackReceipt, FeedbackReport, FeedbackTriageBody } from './feedback.schemas.ts'

const params = z.strictObject({ feedback_id: Uuid })

export const feedbackEndpoints = endpoints('Feedback', {
  sendFeedback: {
    route: 'POST /v1/feedback',
    summary: 'Report a defect, missing feature, wrong documentation or confusing behavior',
    description: `For every key and member. At most ${feedbackLimits.perHour} reports per hour and ${feedbackLimits.perDay} per day and workspace. How to write one: /docs/feedback.`,
    scope: 'feedback:write',
    status: 201,
    idempotent: 'stored',
    maxBody: feedbackLimits.body,
    body: FeedbackBody,
    response: FeedbackReceipt,
    errors: ['rate_limited'],
  },
  listFeedback: {
    route: 'GET /v1/feedback',
    summary: 'List the workspace’s reports, newest first',
    description: 'Reports about Assay that this workspace wrote. They stay on this machine until somebody sends them.',
    scope: 'feedback:read',
    query: z.strictObject({ ...paging(), status: z.enum(feedbackMachine.states).optional() }),
    response: page(FeedbackReport),
    errors: ['invalid_cursor'],
  },
  getFeedback: {
    route: 'GET /v1/feedback/{feedback_id}',
    summary: 'Read a report with its status',
    description: 'With the events since it was written.',
    scope: 'feedback:read',
    params,
    response: FeedbackReport,
  },
  triageFeedback: {
    route: 'PATCH /v1/feedback/{feedback_id}',
    summary: 'Change the status of a report',
    description: 'For owner and admin sessions: every fix is reviewed by a person.',
    scope: 'feedback:write',
    params,
    body: FeedbackTriageBody,
    response: FeedbackReport,
    errors: ['owner_session_required', 'illegal_transition'],
  },
})
