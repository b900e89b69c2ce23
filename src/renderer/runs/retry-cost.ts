import type { Run } from '../../contract/runs/runs.schemas.ts'

export interface RetryCost {
  /** Whose bill it is. */
  readonly payer: 'wallet' | 'provider'
  /** Micro-USD at what a processed sample of the run has cost so far; null where that is not known. */
  readonly estimate: string | null
  /** Micro-USD that the run's cap leaves; null: no cap. */
  readonly left: string | null
}

/** What asking `samples` samples of a run again may cost. */
export function retryCost({ model, accounting, progress }: Pick<Run, 'model' | 'accounting' | 'progress'>, samples: number): RetryCost {
  if (model.kind === 'connection') {
    const { provider_billed_microusd: billed, max_provider_billed_microusd: cap } = accounting
    const asked = progress.completed - progress.cached
    return {
      payer: 'provider',
      estimate: model.rates === null || billed === null ? null : share(billed, asked, samples),
      left: cap && remainder(cap, billed ?? '0'),
    }
  }
  const { charged_microusd: charged, max_charge_microusd: cap } = accounting
  return { payer: 'wallet', estimate: share(charged, progress.completed, samples), left: remainder(cap, charged) }
}

/** Rounded up to a whole micro-USD. */
function share(spent: string, asked: number, samples: number): string | null {
  return asked <= 0 ? null : ((BigInt(spent) * BigInt(samples) + BigInt(asked) - 1n) / BigInt(asked)).toString()
}

function remainder(cap: string, spent: string): string {
  const left = BigInt(cap) - BigInt(spent)
  return (left > 0n ? left : 0n).toString()
}
