import type { Quantiles } from '../../../contract/runs/results.schemas.ts'

/** Mean and quantiles (type 7, linear interpolation: Hyndman and Fan 1996) of what was gathered, in its unit. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort()
  const at = (p: number): number | null => {
    if (sorted.length === 0) return null
    const h = (sorted.length - 1) * p
    const low = sorted[Math.floor(h)] ?? 0
    const high = sorted[Math.ceil(h)] ?? low
    return low + (h - Math.floor(h)) * (high - low)
  }
  const sum = sorted.reduce((total, value) => total + value, 0)
  return { n: sorted.length, mean: sorted.length ? sum / sorted.length : null, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
