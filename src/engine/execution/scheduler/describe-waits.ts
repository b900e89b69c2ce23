import type { RunPause } from '../../../contract/runs/runs.schemas.ts'
import type { EndpointState, EndpointWait } from './endpoint-waits.ts'

/** Milliseconds from which a wait for requests or tokens a minute is shown as a pause. */
const longRateWaitMs = 5_000
/** Milliseconds from which an endpoint that takes no calls is: single refusals come all the time. */
const longThrottleMs = 2_000

const kinds = { model: 'model', judge: 'judge', scorer: 'remote scorer' } as const
const consequences = { model: '', judge: ', so its verdicts wait', scorer: ', so its verdicts wait' } as const

/** What work waits for of all that it calls; null while each takes calls. @param now milliseconds since 1970 */
export function describeWaits(waits: readonly EndpointWait[], now: number): RunPause | null {
  for (const { what, name, endpoint, givesUpInMs } of waits) {
    const pause = endpointPause(endpoint, givesUpInMs, now)
    if (pause)
      return {
        ...pause,
        waits_for: what,
        message: `The ${kinds[what]} ${name} takes no calls${consequences[what]}: ${pause.message}`,
      }
  }
  return null
}

/** Why an endpoint takes no calls, the most lasting first. */
export function endpointPause(
  { outage, pauseMs, rateWaitMs, throttle }: EndpointState,
  givesUpInMs: number | null,
  now: number,
): Omit<RunPause, 'waits_for'> | null {
  if (outage) {
    const next_attempt_at = outage.nextProbeAt === null ? null : isoTime(outage.nextProbeAt)
    return { code: 'endpoint_down', message: outage.message, since: isoTime(outage.since), gives_up_at: null, next_attempt_at }
  }
  if (throttle && Math.max(throttle.sinceMs, pauseMs) >= longThrottleMs)
    return {
      code: throttle.refusal.retryAfterMs === null ? 'throttled' : 'retry_after',
      message: throttle.refusal.message,
      since: isoTime(now - throttle.sinceMs),
      gives_up_at: givesUpInMs === null ? null : isoTime(now + givesUpInMs),
      next_attempt_at: pauseMs > 0 ? isoTime(now + pauseMs) : null,
    }
  // Counts of requests and tokens make calls wait a moment all the time; that is not a pause.
  if (rateWaitMs < longRateWaitMs) return null
  return {
    code: 'retry_after',
    message: 'The rate limit of the endpoint or of its connection is used up for the moment.',
    since: null,
    gives_up_at: null,
    next_attempt_at: isoTime(now + rateWaitMs),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
