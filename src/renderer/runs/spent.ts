import type { Run } from '../../contract/runs/runs.schemas.ts'

/** Micro-USD that a run cost so far, charged to the wallet and billed by the provider; null where neither the provider states it nor rates are known. */
export function spentOf({ model, accounting }: Pick<Run, 'model' | 'accounting'>): string | null {
  const { charged_microusd: charged, provider_billed_microusd: billed } = accounting
  if (model.kind !== 'connection') return charged
  return billed === null ? null : (BigInt(charged) + BigInt(billed)).toString()
}
