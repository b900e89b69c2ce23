import type { Run, RunChanges } from '../../contract/runs/runs.schemas.ts'

export interface RaisableCap {
  readonly field: 'max_charge_microusd' | 'max_provider_billed_microusd'
  readonly label: string
  /** Micro-USD that it is now. */
  readonly present: string
}

/** The caps of a run that can be raised: what costs nothing, or has no cap, has nothing to raise. */
export function raisableCaps({ model, accounting }: Pick<Run, 'model' | 'accounting'>): readonly RaisableCap[] {
  if (model.kind === 'managed') {
    if (model.rates === null) return []
    return [{ field: 'max_charge_microusd', label: 'Wallet spending limit', present: accounting.max_charge_microusd }]
  }
  const present = accounting.max_provider_billed_microusd
  return present === null ? [] : [{ field: 'max_provider_billed_microusd', label: 'Provider spending limit', present }]
}

/** The change for a cap raised to an amount, null where that would not raise it. */
export function raisedTo({ field, present }: RaisableCap, microUsd: string | null): RunChanges | null {
  return microUsd !== null && BigInt(microUsd) > BigInt(present) ? { [field]: microUsd } : null
}
