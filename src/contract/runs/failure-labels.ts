import type { StopCode } from './failure-codes.ts'

const words: Readonly<Record<StopCode | 'samples_failed' | 'internal_error', string>> = {
  unreachable: 'Endpoint unreachable',
  timeout: 'Request timed out',
  rate_limited: 'Rate limited',
  provider_failure: 'Provider error',
  bad_response: 'Invalid response',
  response_too_large: 'Response too large',
  content_filtered: 'Prompt blocked by content filter',
  bad_request: 'Request rejected',
  context_exceeded: 'Context length exceeded',
  credential_refused: 'API key rejected',
  model_not_found: 'Model not found',
  worker_lost: 'Worker lost',
  quota_exhausted: 'Quota exhausted',
  redirect_refused: 'Redirect refused',
  certificate_refused: 'Invalid certificate',
  address_refused: 'Address not allowed',
  cancelled: 'Cancelled',
  cap_reached: 'Spending limit reached',
  time_limit: 'Time limit reached',
  connection_disabled: 'Connection disabled',
  decided_early: 'Stopped early',
  samples_failed: 'Samples failed',
  internal_error: 'Internal error',
}

const labels = new Map<string, string>(Object.entries(words))

/** Label of an error code. Codes are for programs; a code without a label is shown with spaces: `grader_crashed` as `Grader crashed`. */
export function failureLabel(code: string): string {
  return labels.get(code) ?? `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`
}
