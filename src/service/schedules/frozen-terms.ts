import { createHash } from 'node:crypto'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { RunGroupQuote } from '../../contract/run-groups/run-groups.schemas.ts'
import { classifyHost } from '../../engine/clients/addresses/classify-host.ts'
import { providerBound } from '../runs/index.ts'
import type { Spend } from '../spending/index.ts'
import type { Frozen } from './schedules.store.ts'

/** The part of a quote that must stay as it was for a schedule to be followed. */
export function frozenBy({ quotes, model_calls: modelCalls, upper_bound_microusd: bound }: RunGroupQuote): Frozen {
  const paid = quotes.filter(quote => scheduledBound(quote) !== 0n)
  const billed = paid.map(quote => {
    const most = scheduledBound(quote)
    const limit = quote.execution.max_provider_billed_microusd
    // Without rates nothing is counted toward a limit, so that it bounds nothing.
    if (most === null) return null
    return limit === null || BigInt(limit) > most ? most : BigInt(limit)
  })
  const known = billed.filter(amount => amount !== null)
  const limit = paid[0]?.execution.max_provider_billed_microusd ?? null
  const sum = known.reduce((total, amount) => total + amount, 0n)
  return {
    model_calls: modelCalls,
    upper_bound_microusd: bound,
    // A limit is of all models together.
    provider_billed_upper_bound_microusd:
      known.length < billed.length ? null : String(limit !== null && sum > BigInt(limit) ? BigInt(limit) : sum),
    profiles: (quotes[0]?.profiles ?? []).map(({ profile_id, version_digest, prompt_digest, tasks_selected: tasks }) => ({
      profile_id,
      version_digest,
      prompt_digest,
      tasks,
    })),
    task_digest: createHash('sha256')
      .update(JSON.stringify(quotes.map(({ coverage }) => coverage.task_digest)))
      .digest('hex'),
  }
}

/**
 * Most that providers bill; an endpoint of this machine without rates bills nothing, the judges and simulated users beside it may. Null:
 * unknown. Limits of keys are stricter, for what answers there may be a proxy to a provider: a key with one starts no calls without rates.
 */
function scheduledBound({ model: { origin, rates }, cost }: Quote): bigint | null {
  const most = providerBound({ cost })
  if (most !== null) return most
  if (origin === null || rates !== null || classifyHost(new URL(origin).hostname).reach !== 'loopback') return null
  const others = cost.components.filter(({ kind, payer }) => (kind === 'judge_calls' || kind === 'user_calls') && payer !== 'wallet')
  const known = others.flatMap(({ upper_bound_microusd: bound }) => bound ?? [])
  return known.length < others.length ? null : known.reduce((sum, bound) => sum + BigInt(bound), 0n)
}

/** What one occurrence can cost at most. */
export function boundsOf({ upper_bound_microusd: wallet, provider_billed_upper_bound_microusd: provider }: Frozen): Spend {
  return { wallet: BigInt(wallet), provider: provider === null ? null : BigInt(provider) }
}

/** Why no monthly limit can be kept where a connection states no rates. */
export const unknownRates =
  'A connection states no rates, so its provider’s bill cannot be kept under the monthly limit. Set its rates (0 where calls are free).'

/** Why a new quote may not be run in place of what was frozen, for people; null where it may. */
export function changedTerms(before: Frozen, now: Frozen): string | null {
  const moved = now.profiles.find((profile, i) => JSON.stringify(profile) !== JSON.stringify(before.profiles[i]))
  if (moved)
    return `The benchmark profile "${moved.profile_id}" has other data, another prompt or another number of tasks than at creation.`
  if (now.task_digest !== before.task_digest) return 'Other tasks would be run than at creation.'
  const [was, is] = [boundsOf(before), boundsOf(now)]
  if (is.wallet > was.wallet) return 'The same calls can cost more than at creation. Create a new schedule with the new price.'
  if (was.provider === null) return null
  if (is.provider === null)
    return 'What a provider bills for these calls is not known: rates were removed, or judges and simulated users of a free model were left out, as earlier versions did. Set the rates of their connections, or create a new schedule.'
  if (is.provider > was.provider)
    return 'A provider can bill more for the same calls than was counted at creation: its price went up, or earlier versions left out judges and simulated users of a free model or files of later turns. Create a new schedule.'
  return null
}
