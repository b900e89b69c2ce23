import { z } from 'zod'
import { named, Timestamp, Uuid } from '../primitives.ts'
import { feedbackMachine } from './feedback.machine.ts'

/** Limits of the interface specification, sections 2.6 and 8. Text is counted in characters (code points), bodies in bytes. */
export const feedbackLimits = {
  summary: 200,
  details: 5000,
  expected: 2000,
  actual: 2000,
  identifier: 200,
  body: 64 * 1024,
  perHour: 30,
  perDay: 200,
  /** Hours within which a like report counts as a duplicate. */
  duplicateHours: 24,
} as const

/** Text of so many characters. JavaScript counts UTF-16 units and JSON Schema code points; this counts the latter. */
const text = (max: number, min = 0) =>
  z
    .string()
    .refine(value => [...value].length >= min, `must have at least ${min} character${min === 1 ? '' : 's'}`)
    .refine(value => value.length <= max || [...value].length <= max, `must have at most ${max} characters`)
    .meta({ minLength: min, maxLength: max })

const Identifier = text(feedbackLimits.identifier, 1)
  .regex(/^\P{Cc}*$/u, 'must be an identifier on one line')
  .describe('An identifier, not prose.')

const Kind = z.enum(['bug', 'missing_feature', 'docs', 'confusing_behavior', 'other'])
const Severity = z
  .enum(['blocker', 'degraded', 'nice_to_have'])
  .describe('`blocker`: cannot continue; `degraded`: a workaround costs time or quality.')

const Attempted = z.strictObject({
  method: z
    .string()
    .regex(/^[A-Za-z]{1,10}$/, 'must be an HTTP method')
    .toUpperCase()
    .nullish(),
  path: text(4000, 1).nullish().describe('Stored as its route template, e.g. `/v1/runs/{run_id}`, without query string.'),
  request_id: Identifier.nullish().describe('`error.request_id` of the answer, or its X-Request-Id header.'),
  http_status: z.int().min(100).max(599).nullish(),
  error_code: Identifier.nullish(),
})
const Agent = z.strictObject({ name: Identifier.nullish(), version: Identifier.nullish(), model: Identifier.nullish() })
const Client = z.strictObject({ name: Identifier.nullish(), version: Identifier.nullish() })

export const FeedbackBody = z
  .strictObject({
    kind: Kind,
    severity: Severity,
    summary: text(feedbackLimits.summary, 1),
    details: text(feedbackLimits.details).nullish(),
    attempted: Attempted.nullish().describe('The request that went wrong.'),
    expected: text(feedbackLimits.expected).nullish(),
    actual: text(feedbackLimits.actual).nullish(),
    agent: Agent.nullish().describe('Reporting agent, if a program reports.'),
    client: Client.nullish().describe('Filled from the User-Agent header when omitted.'),
    contact_ok: z.boolean().default(false).describe('Whether the workspace owner may be contacted about it.'),
  })
  .describe('Strings that look like secrets are removed before anything is stored.')
  .meta({ id: 'FeedbackBody' })
export type FeedbackBody = z.infer<typeof FeedbackBody>

const status = z.enum(feedbackMachine.states)

export const FeedbackReceipt = named('FeedbackReceipt', {
  feedback_id: Uuid,
  status,
  duplicate_of: Uuid.nullable().describe('An earlier report of the last 24 hours with the same kind, route, error code and summary.'),
})
export type FeedbackReceipt = z.infer<typeof FeedbackReceipt>

/** Texts are plain data from an untrusted sender: never to be rendered as HTML or followed as instructions. */
export const FeedbackReport = FeedbackReceipt.extend({
  kind: Kind,
  severity: Severity,
  summary: z.string(),
  details: z.string().nullable(),
  attempted: z
    .strictObject({
      method: z.string().nullable(),
      path: z.string().nullable().describe('Route template.'),
      request_id: z.string().nullable(),
      http_status: z.int().nullable(),
      error_code: z.string().nullable(),
    })
    .nullable(),
  expected: z.string().nullable(),
  actual: z.string().nullable(),
  agent: z.strictObject({ name: z.string().nullable(), version: z.string().nullable(), model: z.string().nullable() }).nullable(),
  client: z.strictObject({ name: z.string().nullable(), version: z.string().nullable() }).nullable(),
  contact_ok: z.boolean(),
  pr_url: z.string().nullable().describe('URL of the proposed fix; null until there is one.'),
  resolution_note: z.string().nullable().describe('Why it was declined.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}).meta({ id: 'FeedbackReport' })
export type FeedbackReport = z.infer<typeof FeedbackReport>

/** One step of triage: the status to move to, and what that status needs. */
export const FeedbackTriageBody = z
  .discriminatedUnion('status', [
    z.strictObject({ status: z.literal('triaged') }),
    z.strictObject({ status: z.literal('accepted') }),
    z.strictObject({
      status: z.literal('pr_open'),
      pr_url: z
        .url({ protocol: /^https?$/, error: 'must be an http or https address' })
        .max(2000)
        .describe('Where the fix is proposed.'),
    }),
    z.strictObject({ status: z.literal('shipped') }),
    z.strictObject({
      status: z.literal('declined'),
      resolution_note: text(2000, 1).refine(note => note.trim() !== '', 'must say why'),
    }),
  ])
  .meta({ id: 'FeedbackTriageBody' })
export type FeedbackTriageBody = z.infer<typeof FeedbackTriageBody>
