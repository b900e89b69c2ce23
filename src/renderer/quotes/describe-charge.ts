import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'

/** What the wallet can lose: the cap, or less where every call together costs less. */
export function describeCharge({ cost, model }: Quote): string {
  const [cap, bound] = [BigInt(cost.max_charge_microusd), BigInt(cost.upper_bound_microusd)]
  const most = bound < cap ? bound : cap
  if (most > 0n) return `Charges the wallet at most ${formatUsd(most.toString())}.`
  return model.kind === 'connection' ? 'Does not charge the wallet; the provider bills its calls.' : 'Does not charge the wallet.'
}
