/**
 * Every error code that the service returns, with its usual HTTP status. The one list: handlers throw these codes, the OpenAPI
 * document and the API reference print them, the UI explains them.
 */
export const errorCodes = {
  malformed_json: { status: 400, meaning: 'The body is not valid JSON.' },
  malformed_request: { status: 400, meaning: 'The request is not valid HTTP for this service.' },
  unsupported_version: { status: 400, meaning: 'The Service-Version header names a version that is not supported.' },
  unauthenticated: { status: 401, meaning: 'No valid key or session was sent, or the X-Workspace-ID header is missing.' },
  insufficient_credit: { status: 402, meaning: 'Insufficient credit for the amount that the request would reserve.' },
  spend_ceiling_reached: { status: 402, meaning: 'The request would exceed the key’s spending limit.' },
  missing_scope: { status: 403, meaning: 'The key does not have the scope that this operation needs.' },
  owner_session_required: { status: 403, meaning: 'Only a signed-in owner or admin may do this; a key may not.' },
  human_approval_required: { status: 403, meaning: 'Only a signed-in person may do this; a key may not.' },
  workspace_forbidden: { status: 403, meaning: 'The key or session does not belong to the workspace in X-Workspace-ID.' },
  origin_forbidden: { status: 403, meaning: 'The request comes from a web page that is not this workstation.' },
  not_found: { status: 404, meaning: 'The resource does not exist in this workspace.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, the method does not.' },
  conflict: { status: 409, meaning: 'Other stored data stands against it: a name that is taken, a later version, a limit of how many.' },
  illegal_transition: { status: 409, meaning: 'The state that the resource is in does not allow this action.' },
  quote_expired: { status: 409, meaning: 'The quote is older than its expiry; make a new one.' },
  quote_incompatible: { status: 409, meaning: 'The quote found the selection incompatible, so it cannot be submitted.' },
  idempotency_in_progress: { status: 409, meaning: 'A request with this Idempotency-Key is still being processed.' },
  result_not_ready: { status: 409, meaning: 'The run has not finished, so it has no result yet.' },
  spending_limit_reached: { status: 409, meaning: 'A spending limit leaves less than the work could cost.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this operation accepts.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not of the content type that this operation takes.' },
  misdirected_request: { status: 421, meaning: 'The Host header does not name this service.' },
  validation_error: { status: 422, meaning: 'A field is missing, unknown or out of bounds; `detail` lists each.' },
  invalid_cursor: { status: 422, meaning: 'The cursor was not issued here, or was issued for other filters.' },
  idempotency_mismatch: { status: 422, meaning: 'The Idempotency-Key was used before with another body.' },
  exact_task_suite: { status: 422, meaning: 'An exact-task suite runs as an evaluation; quotes do not take it.' },
  task_unavailable: { status: 422, meaning: 'A selected task or source is not available to this workspace.' },
  rate_limited: { status: 429, meaning: 'Too many requests; wait for the seconds in Retry-After.' },
  internal_error: { status: 500, meaning: 'The service failed; the request id finds the cause in its log.' },
  provider_error: { status: 502, meaning: 'A provider answered in a way that could not be used.' },
  unavailable: { status: 503, meaning: 'The service, or a part that the request needs, is temporarily unavailable.' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type ErrorCode = keyof typeof errorCodes

/** One entry of `detail` on a 422: where, what, and which kind of rule (the standard validation error schema). */
export interface ErrorDetail {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
  /** Figures of the rule, for programs. */
  readonly ctx?: Readonly<Record<string, number>> | undefined
}

export interface ApiErrorOptions {
  readonly detail?: readonly ErrorDetail[]
  readonly headers?: Readonly<Record<string, string>>
  /** Only where the specification requires a status other than the code's usual one. */
  readonly status?: number
}

/** An error reported to the client. The message states what was wrong, the value, and what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly detail: readonly ErrorDetail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.code = code
    this.status = options.status ?? errorCodes[code].status
    this.detail = options.detail ?? []
    this.headers = options.headers ?? {}
  }
}

/** A validation failure of one field. `loc` starts with body, query, path or header. */
export function invalidField(loc: readonly (string | number)[], msg: string, type = 'value_error'): ApiError {
  return new ApiError('validation_error', describeField(loc, msg), { detail: [{ loc, msg, type }] })
}

/** The field and what is wrong with it: `summary is required`, `name: at least one word`. Whole sentences say it by themselves. */
export function describeField([part, ...path]: readonly (string | number)[], msg: string): string {
  if (/^["\p{Lu}].*\.$/su.test(msg)) return msg
  const field = path.length > 0 ? path.join('.') : part === 'body' ? 'the body' : String(part)
  return /^(?:is|has|must|cannot|names|may)\b/.test(msg) ? `${field} ${msg}` : `${field}: ${msg}`
}

/** An unknown id; ids of other workspaces are indistinguishable from ids that never existed. */
export function notFound(what: string, id: string): ApiError {
  return new ApiError('not_found', `There is no ${what} "${id.slice(0, 100)}" in this workspace.`)
}

/** The row that was looked up. @throws ApiError not_found */
export function requireFound<T extends object>(found: T | null | undefined, what: string, id: string): T {
  if (!found) throw notFound(what, id)
  return found
}
