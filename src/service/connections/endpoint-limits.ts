import type { ConnectionLimits } from '../../contract/connections/connections.schemas.ts'
import type { EndpointLimits } from '../../engine/execution/scheduler/ports.ts'

/** A connection's limits as the limiter takes them. */
export function endpointLimits(limits: ConnectionLimits): EndpointLimits {
  return {
    maxConcurrency: limits.max_concurrency,
    requestsPerMinute: limits.requests_per_minute,
    tokensPerMinute: limits.tokens_per_minute,
    onThrottle: limits.on_throttle,
  }
}
