import type { FeedbackBody, FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'
import { withoutSecretValues } from '../../engine/clients/secrets/without-values.ts'
import { scrubSecrets } from '../../lib/scrub-secrets.ts'
import type { RouteTemplates } from './route-template.ts'

export type CleanReport = Omit<
  FeedbackReport,
  'feedback_id' | 'status' | 'duplicate_of' | 'pr_url' | 'resolution_note' | 'created_at' | 'updated_at'
>

/** A report as it may be stored: no secret in any text, the path as its route, the client named. */
export function cleanReport(
  body: FeedbackBody,
  userAgent: string | null,
  templateOf: RouteTemplates,
  secrets: readonly string[],
): CleanReport {
  const clean = (text: string | null | undefined) => (text === null || text === undefined ? null : cleanText(text, secrets))
  const { attempted, agent } = body
  const client = body.client ?? clientOf(userAgent)
  return {
    kind: body.kind,
    severity: body.severity,
    summary: cleanText(body.summary, secrets),
    details: clean(body.details),
    attempted: attempted
      ? {
          method: attempted.method ?? null,
          path: clean(attempted.path && templateOf(attempted.path)),
          request_id: clean(attempted.request_id),
          http_status: attempted.http_status ?? null,
          error_code: clean(attempted.error_code),
        }
      : null,
    expected: clean(body.expected),
    actual: clean(body.actual),
    agent: agent ? { name: clean(agent.name), version: clean(agent.version), model: clean(agent.model) } : null,
    client: client ? { name: clean(client.name), version: clean(client.version) } : null,
    contact_ok: body.contact_ok,
  }
}

/**
 * Without the lone surrogates that UTF-8 cannot hold, and without what looks like a secret or is one.
 * @param secrets values that are stored here
 */
export function cleanText(text: string, secrets: readonly string[]): string {
  return scrubSecrets(withoutSecretValues(text, secrets)).toWellFormed()
}

/** The first product of a User-Agent header, `name/version` (RFC 9110, section 10.1.5); null where there is none. */
export function clientOf(userAgent: string | null): { readonly name: string; readonly version: string | null } | null {
  const match = /^([^\s/()]{1,200})(?:\/([^\s()]{1,200}))?/.exec(userAgent?.trim() ?? '')
  return match?.[1] ? { name: match[1], version: match[2] ?? null } : null
}
