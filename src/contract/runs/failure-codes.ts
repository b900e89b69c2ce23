/**
 * How a model call can fail, and what that means for the run. `retryable`: worth another attempt after a pause. `fatal`: every
 * further call to this endpoint would fail too, so the run stops instead of failing sample by sample.
 */
export const failureCodes = {
  unreachable: { retryable: true, fatal: false, meaning: 'No connection could be made, or it was cut.' },
  timeout: { retryable: true, fatal: false, meaning: 'No complete answer within the time limit.' },
  rate_limited: { retryable: true, fatal: false, meaning: 'The provider rate-limited the request (429).' },
  provider_failure: { retryable: true, fatal: false, meaning: 'The provider failed (5xx, or an error in place of an answer).' },
  bad_response: {
    retryable: true,
    fatal: false,
    meaning: 'The answer was not what the protocol promises: cut off, not JSON, empty, of another type.',
  },
  response_too_large: { retryable: false, fatal: false, meaning: 'The answer passed the size limit and was cut off.' },
  content_filtered: { retryable: false, fatal: false, meaning: 'The provider’s content filter refused the prompt.' },
  bad_request: { retryable: false, fatal: false, meaning: 'The provider refused this request (400, 413, 422).' },
  context_exceeded: {
    retryable: false,
    fatal: false,
    meaning: 'Prompt and answer need more tokens than the model’s context holds; nothing was computed.',
  },
  credential_refused: { retryable: false, fatal: true, meaning: 'The provider refused the key (401, 403).' },
  model_not_found: { retryable: false, fatal: true, meaning: 'The provider does not know the address or the model (404).' },
  quota_exhausted: { retryable: false, fatal: true, meaning: 'The provider account has no quota left.' },
  redirect_refused: {
    retryable: false,
    fatal: true,
    meaning: 'The endpoint redirects elsewhere; redirects are never followed, so that a key cannot leak.',
  },
  certificate_refused: { retryable: false, fatal: true, meaning: 'The certificate of the endpoint is not valid, so nothing was sent.' },
  address_refused: { retryable: false, fatal: true, meaning: 'The address is one that Assay never calls.' },
  worker_lost: {
    retryable: true,
    fatal: false,
    meaning: 'The worker that made the call stopped responding; the provider may bill the call.',
  },
  cancelled: { retryable: false, fatal: false, meaning: 'The run was cancelled while the call was in flight.' },
} as const satisfies Record<string, { retryable: boolean; fatal: boolean; meaning: string }>

export type FailureCode = keyof typeof failureCodes

/** Other reasons why a run ends before all its samples have started. */
export const stopCodes = {
  cap_reached: 'Spending limit reached: the next call could exceed the run’s limit. Raise it to run the missing samples.',
  time_limit: 'The run’s time limit was over.',
  connection_disabled: 'The connection was disabled while the run used it.',
  decided_early: 'Stopped early: the tuning session had decided about this arm.',
} as const

export type StopCode = FailureCode | keyof typeof stopCodes

/** Longest pause before an endpoint that takes no calls is tried again, in milliseconds, whatever it asks for. */
export const mostRetryAfterMs = 15 * 60_000

/** How long a run waits without a single answer for an endpoint that takes no calls, in milliseconds, unless it says otherwise. */
export const defaultThrottlePatienceMs = 15 * 60_000

/** Why a run that has not ended is waiting. */
export const pauseCodes = {
  endpoint_down: 'The endpoint does not respond. Assay probes it and resumes the run when it responds.',
  retry_after: 'The endpoint asked for a pause.',
  throttled:
    'The endpoint takes no calls (429, 503, 529, or failures of most calls) and asked for no pause. Assay tries again with growing pauses.',
  internal_error: 'The service failed while it executed the run. Resume the run to try again.',
  paused: 'The run was paused. Calls that were in flight end, and no other begins until it is resumed, also after a restart.',
} as const

export type PauseCode = keyof typeof pauseCodes
