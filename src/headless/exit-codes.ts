import type { ErrorCode } from '../contract/errors.ts'

/** How a command ended, for pipelines. The numbers are part of the interface. */
export const exitCodes = {
  passed: 0,
  error: 1,
  usage: 2,
  /** The figures settle neither way, or nothing but execution errors came back. */
  inconclusive: 3,
  /** A person must decide or pay before it can continue. */
  humanNeeded: 4,
  gateFailed: 100,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The command line, or a file that it names, cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const { error, usage, inconclusive, humanNeeded } = exitCodes

/** One exit code for each refusal, so that the same fault ends every command alike. */
const ofRefusals: Readonly<Record<ErrorCode, ExitCode>> = {
  // What was typed, or names nothing.
  malformed_json: usage,
  malformed_request: usage,
  validation_error: usage,
  invalid_cursor: usage,
  exact_task_suite: usage,
  task_unavailable: usage,
  not_found: usage,
  payload_too_large: usage,
  unsupported_media_type: usage,
  // A person ends it: by raising a limit, adding credit or signing in.
  insufficient_credit: humanNeeded,
  spend_ceiling_reached: humanNeeded,
  spending_limit_reached: humanNeeded,
  owner_session_required: humanNeeded,
  human_approval_required: humanNeeded,
  result_not_ready: inconclusive,
  unsupported_version: error,
  unauthenticated: error,
  missing_scope: error,
  workspace_forbidden: error,
  origin_forbidden: error,
  method_not_allowed: error,
  conflict: error,
  illegal_transition: error,
  quote_expired: error,
  quote_incompatible: error,
  idempotency_in_progress: error,
  idempotency_mismatch: error,
  misdirected_request: error,
  rate_limited: error,
  internal_error: error,
  provider_error: error,
  unavailable: error,
}

/** The exit code of a refusal by its error code; a newer service may have codes that are unknown here. */
export function exitCodeOf(errorCode: string): ExitCode {
  return isErrorCode(errorCode) ? ofRefusals[errorCode] : error
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ofRefusals, code)
