/** 97.5th percentile of the standard normal distribution, for a two-sided 95 % interval. */
const z = 1.959963984540054

/**
 * 95 % Wilson score interval of a proportion (Wilson 1927) for the band around a running mean. Charts run in the browser too, where
 * the engine's statistics must not be; whatever a run finally reports comes from those. Null for n = 0 or a mean outside [0, 1].
 */
export function wilsonBand(mean: number, n: number): { low: number; high: number } | null {
  if (!(n > 0) || !(mean >= 0 && mean <= 1)) return null
  const center = mean + (z * z) / (2 * n)
  const reach = z * Math.sqrt((mean * (1 - mean)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  return { low: Math.max(0, (center - reach) / scale), high: Math.min(1, (center + reach) / scale) }
}
