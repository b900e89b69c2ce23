import { failureCodes, mostRetryAfterMs } from '../../../contract/runs/failure-codes.ts'
import { formatDuration } from '../../../lib/format/time.ts'
import type { Failure } from '../../clients/model-client.ts'
import type { Refusal } from './throttle-pause.ts'

const firstPause = 500
const longestPause = 60_000

/**
 * Milliseconds to wait before the next attempt; null when there must be none. What the provider asks for is kept up to a stated limit,
 * with up to a quarter of a second more so that those who wait together do not come back together; otherwise exponential backoff
 * with full jitter (delay uniform in [0, min(cap, first * 2^(attempt-1))]).
 * @param attempt number of the attempt that failed, from 1
 */
export function pauseBeforeRetry(
  failure: Pick<Failure, 'code' | 'retryAfterMs'>,
  attempt: number,
  maxAttempts: number,
  random: () => number,
): number | null {
  if (!failureCodes[failure.code].retryable || attempt >= maxAttempts) return null
  if (failure.retryAfterMs !== null) return Math.min(mostRetryAfterMs, failure.retryAfterMs) + random() * 250
  return random() * Math.min(longestPause, firstPause * 2 ** (attempt - 1))
}

/** Why it is not waited any longer for an endpoint that takes no calls. */
export function describeGivingUp({ retryAfterMs }: Refusal, patienceMs: number): string {
  const patience = formatDuration(patienceMs)
  return retryAfterMs !== null && retryAfterMs > patienceMs
    ? `That is longer than the patience of ${patience}.`
    : `No call was answered for ${patience}, so Assay stopped waiting.`
}
