import { z } from 'zod'
import { FeedbackBody, feedbackLimits } from '../../../contract/feedback/feedback.schemas.ts'
import { IdempotencyKey } from '../idempotency-key.ts'
import { defineTool } from '../tool.ts'

const { kind, severity, summary } = FeedbackBody.shape
const text = (most: number) => z.string().max(most).optional()

export const reportFeedback = defineTool({
  name: 'report_feedback',
  title: 'Report a defect or a missing feature',
  description: 'For defects, wrong documentation or confusing behavior of Assay. Send no secrets and no content of datasets.',
  effect: 'write',
  calls: ['sendFeedback'],
  input: z.strictObject({
    kind,
    severity,
    summary,
    details: text(feedbackLimits.details),
    expected: text(feedbackLimits.expected),
    actual: text(feedbackLimits.actual),
    request_id: text(feedbackLimits.identifier).describe('Of the refusal that this is about.'),
    idempotency_key: IdempotencyKey,
  }),
  page: () => '/feedback',
  run: async ({ request_id: requestId, idempotency_key: key, ...report }, { call, pageUrl }) => {
    const attempted = requestId === undefined ? {} : { attempted: { request_id: requestId } }
    const receipt = await call('sendFeedback', { body: { ...report, ...attempted }, headers: { 'idempotency-key': key } })
    return { ...receipt, page: pageUrl('/feedback') }
  },
})
