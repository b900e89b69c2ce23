import type { Backfill, ProviderSlot, TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'

export interface ProviderWords {
  readonly slot: ProviderSlot
  readonly title: string
  readonly description: string
  /** Null where the address must be given. */
  readonly defaultAddress: string | null
  readonly addressHint: string
}

/** What the three slots are filled with; the service says the same in each integration’s `provider_name`. */
export const providerWords: readonly ProviderWords[] = [
  {
    slot: 'provider-a',
    title: 'Langfuse',
    description: 'A project’s key pair, cloud or self-hosted',
    defaultAddress: null,
    addressHint: 'e.g. https://cloud.langfuse.com, https://us.cloud.langfuse.com or your own',
  },
  {
    slot: 'provider-b',
    title: 'LangSmith',
    description: 'An API key, cloud or self-hosted',
    defaultAddress: 'https://api.smith.langchain.com',
    addressHint: 'Empty for the US cloud; e.g. https://eu.api.smith.langchain.com',
  },
  {
    slot: 'provider-c',
    title: 'Braintrust',
    description: 'An API key, cloud or self-hosted data plane',
    defaultAddress: 'https://api.braintrust.dev',
    addressHint: 'Empty for the US cloud; e.g. https://api-eu.braintrust.dev',
  },
]

/** `1,204 spans of 310 traces, 85 spans/s, 2 min left`. */
export function describeBackfill(
  { spans, traces, fraction, started_at, finished_at, retry_at }: Backfill,
  status: TraceIntegration['status'],
  now: number,
): string {
  const read = `${formatCount(spans)} spans of ${formatCount(traces)} traces`
  if (finished_at !== null || status !== 'backfilling') return read
  const elapsed = Math.max(1, now - Date.parse(started_at))
  if (retry_at !== null) return `${read}; rate limited, continues in ${formatDuration(Math.max(0, Date.parse(retry_at) - now))}`
  const speed = `${formatNumber((spans / elapsed) * 1000, spans / elapsed < 0.01 ? 1 : 0)} spans/s`
  const left = fraction !== null && fraction > 0.01 ? `, about ${formatDuration((elapsed / fraction) * (1 - fraction))} left` : ''
  return `${read}, ${speed}${left}`
}
