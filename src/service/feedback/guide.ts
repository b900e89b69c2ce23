import type { FastifyInstance } from 'fastify'
import { type FeedbackBody, feedbackLimits } from '../../contract/feedback/feedback.schemas.ts'
import { escapeHtml, staticPage } from '../http/static-page.ts'

const example: FeedbackBody = {
  kind: 'bug',
  severity: 'degraded',
  summary: 'Exporting a partial run as CSV leaves the failed samples out',
  expected: 'One row per frozen sample.',
  actual: 'Only scored samples are listed.',
  attempted: {
    method: 'GET',
    path: '/v1/runs/{run_id}/export',
    request_id: '01990000-0000-7000-8000-000000000000',
    http_status: 200,
    error_code: null,
  },
  agent: { name: 'my-agent', version: '1.4.0', model: 'my-model' },
  contact_ok: true,
}

const fields: readonly (readonly [name: string, meaning: string])[] = [
  ['kind', 'Required. bug, missing_feature, docs, confusing_behavior or other.'],
  ['severity', 'Required. blocker (you cannot continue), degraded (a workaround costs time or quality) or nice_to_have.'],
  ['summary', `Required. 1 to ${feedbackLimits.summary} characters: what is wrong, in one sentence.`],
  ['details', `Up to ${feedbackLimits.details} characters: how to see it again.`],
  [
    'attempted',
    'The request that went wrong: method, path, request_id, http_status, error_code. The path is stored as its route, without ids and query.',
  ],
  ['expected, actual', `Up to ${feedbackLimits.expected} characters each.`],
  ['agent', 'name, version and model of the program that reports: identifiers, not prose.'],
  ['client', 'name and version of the HTTP client; taken from the User-Agent header when left out.'],
  ['contact_ok', 'true when the owner of the workspace may be contacted about it; false when left out.'],
]

const statuses: readonly (readonly [name: string, meaning: string])[] = [
  ['received', 'Recorded, not reviewed yet.'],
  ['triaged', 'Reviewed and put together with related reports.'],
  ['accepted', 'Confirmed and planned.'],
  ['pr_open', 'A fix is proposed; pr_url leads to it.'],
  ['shipped', 'The fix is released.'],
  ['declined', 'Not planned; resolution_note says why.'],
]

const table = (rows: readonly (readonly [string, string])[]) =>
  `<table><tbody>\n${rows.map(([name, meaning]) => `<tr><th scope="row"><code>${name}</code></th><td>${escapeHtml(meaning)}</td></tr>`).join('\n')}\n</tbody></table>`

const page = staticPage(
  'Sending feedback',
  `<p>Every key and every member of a workspace may report a defect, a missing feature, wrong documentation or behavior that confuses, and
see what became of the report. Reports stay on this workstation, where its owner reads them.</p>
<h2>Report</h2>
<p>Send <code>POST /v1/feedback</code> as JSON, with the same headers as every request:</p>
<pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>
${table(fields)}
<p>Other fields are refused with 422 <code>validation_error</code>. After an error answer, <code>error.feedback.request_id</code> goes into
<code>attempted.request_id</code>: it finds the request in the log.</p>
<p>What needs no report: a 4xx answer that names what you sent wrong, a missing scope, an expired quote or an exhausted balance. Correct the request instead.</p>
<h2>Secrets</h2>
<p>Leave them out. Strings that look like keys, bearer or basic credentials, signed URL parameters, private keys or passwords of connection strings
are removed before anything is stored, but nothing recognizes every secret.</p>
<h2>Limits</h2>
<p>A body has at most ${feedbackLimits.body / 1024} KiB (413 otherwise). A workspace may send ${feedbackLimits.perHour} reports an hour and ${feedbackLimits.perDay} a day;
beyond that the answer is 429 with <code>Retry-After</code> in seconds. A report like an earlier one of the last ${feedbackLimits.duplicateHours} hours is recorded
all the same, and <code>duplicate_of</code> names the earlier one.</p>
<h2>What happens next</h2>
<p><code>GET /v1/feedback/{feedback_id}</code> shows the present status, <code>GET /v1/feedback</code> every report of the workspace, newest first. A person reviews every step.</p>
${table(statuses)}`,
)

/** Serves the guide that `error.feedback.docs` links to. It asks for no credentials: who was refused needs it, too. */
export function serveFeedbackGuide(http: FastifyInstance): void {
  http.get('/docs/feedback', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', page.contentSecurityPolicy).send(page.html),
  )
}
