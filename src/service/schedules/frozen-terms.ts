import { createHash } from 'node:crypto'
import type { RunGroupQuote } from '../../contract/run-groups/run-groups.schemas.ts'
import type { Spend } from '../spending/index.ts'
import type { Frozen } from './schedules.store.ts'

/** What of a quote must stay as it was for a schedule to be followed. */
export function frozenBy({ quotes, model_calls: modelCalls, upper_bound_microusd: bound }: RunGroupQuote): Frozen {
  const billed = quotes.map(quote => {
    const { execution, cost, model } = quote
    if (model.kind !== 'connection') return 0n
    const { provider_billed_upper_bound_microusd: most } = cost
    const limit = execution.max_provider_billed_microusd
    if (most === null) return limit === null ? null : BigInt(limit)
    return limit === null || BigInt(limit) > BigInt(most) ? BigInt(most) : BigInt(limit)
  })
  const known = billed.filter(amount => amount !== null)
  const limit = quotes.find(({ model }) => model.kind === 'connection')?.execution.max_provider_billed_microusd ?? null
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

/** What one occurrence can cost at most. */
export function boundsOf({ upper_bound_microusd: wallet, provider_billed_upper_bound_microusd: provider }: Frozen): Spend {
  return { wallet: BigInt(wallet), provider: provider === null ? null : BigInt(provider) }
}

/** Why a new quote may not be run in place of what was frozen, for people; null where it may. */
export function changedTerms(before: Frozen, now: Frozen): string | null {
  const moved = now.profiles.find((profile, i) => JSON.stringify(profile) !== JSON.stringify(before.profiles[i]))
  if (moved)
    return `The benchmark profile "${moved.profile_id}" has other data, another prompt or another number of tasks than at creation.`
  if (now.task_digest !== before.task_digest) return 'Other tasks would be run than at creation.'
  const [was, is] = [boundsOf(before), boundsOf(now)]
  if (is.wallet > was.wallet || (was.provider !== null && (is.provider === null || is.provider > was.provider)))
    return 'The same calls can cost more than at creation. Create a new schedule with the new price.'
  return null
}
