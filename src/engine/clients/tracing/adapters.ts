import type { ProviderSlot } from '../../../contract/traces/integrations.schemas.ts'
import { braintrust } from './braintrust.ts'
import { langfuse } from './langfuse.ts'
import { langsmith } from './langsmith.ts'
import type { ProviderName, TraceAdapter } from './trace-adapter.ts'

/** Which provider serves a slot of the interface: the one place to give a slot to another. */
export const slotAdapters: Readonly<Record<ProviderSlot, TraceAdapter>> = {
  'provider-a': langfuse,
  'provider-b': langsmith,
  'provider-c': braintrust,
}

const byName: Readonly<Record<ProviderName, TraceAdapter>> = { langfuse, langsmith, braintrust }

export function adapterOf(provider: ProviderName): TraceAdapter {
  return byName[provider]
}
