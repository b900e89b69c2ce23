import type { Fault } from '../fault.ts'
import type { Exchange } from './exchange.ts'
import { networkFault } from './network-fault.ts'

/** What gateways say while the server behind them does not answer. */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524])

/** What a GET at an endpoint found out about whether anything answers there. Null: something does, whatever it says. */
export function probeFault({ status, ending }: Pick<Exchange, 'status' | 'ending'>, origin: string): Fault | null {
  if (status !== null)
    return gatewayStatuses.has(status)
      ? { code: 'provider_failure', message: `${origin} answers only that its server is not available (HTTP ${status}).` }
      : null
  if (ending.how === 'failed') return networkFault(ending.error, origin)
  return { code: 'timeout', message: `${origin} does not answer. Check that the server is running.` }
}
