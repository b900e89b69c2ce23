import type { Estimate, LabelShare } from '../../contract/runs/results.schemas.ts'

/** Four decimals: more than any interval here is sure of, and half the tokens. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(4))
}

/** A figure with its n and interval, or why there is none. */
export function figure({ n, mean, interval, reason, cautions }: Omit<Estimate, 'standard_error'>): object {
  return {
    n,
    mean: rounded(mean),
    interval: interval && shortInterval(interval),
    ...(reason === null ? {} : { reason }),
    ...(cautions.length ? { cautions } : {}),
  }
}

/** A share of labels: n is the row's. */
export function shareOf({ mean, interval }: Pick<Estimate, 'mean' | 'interval'>): object {
  return { mean: rounded(mean), interval: interval && shortInterval(interval) }
}

/** What a row of labels is about, in the words of others. */
export function labelOfGroup({
  dimension,
  value,
  label,
}: Pick<LabelShare, 'dimension' | 'value' | 'label'>): Readonly<Record<string, string>> {
  return { label, ...(dimension === null ? {} : { group: `${dimension}: ${value ?? ''}` }) }
}

export function shortInterval({ low, high, level, method }: NonNullable<Estimate['interval']>): object {
  return { low: rounded(low), high: rounded(high), level: rounded(level), method }
}
