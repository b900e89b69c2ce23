import { failureCodes } from '../../contract/index.ts'
import type { Failure } from '../model-clients/model-client.ts'

const firstPause = 500
const longestPause = 60_000
/** A provider that asks for more than this is not waited for: the run would only seem to hang. */
const longestAsked = 10 * 60_000

/**
 * Milliseconds to wait before the next attempt; null when there must be none. What the provider asks for is kept; otherwise
 * exponential backoff with full jitter (delay uniform in [0, min(cap, first * 2^(attempt-1))]).
 * @param attempt number of the attempt that failed, from 1
 */
export function pauseBeforeRetry(failure: Failure, attempt: number, maxAttempts: number, random: () => number): number | null {
  if (!failureCodes[failure.code].retryable || attempt >= maxAttempts) return null
  if (failure.retryAfterMs !== null) return failure.retryAfterMs > longestAsked ? null : failure.retryAfterMs + random() * 250
  return random() * Math.min(longestPause, firstPause * 2 ** (attempt - 1))
}
