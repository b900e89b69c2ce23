import { requireOpenUnit } from './checks.ts'
import { noncentralTCdf } from './distributions/noncentral-t.ts'
import { tQuantile } from './distributions/student-t.ts'
import { criticalSum, type SampleSize, type TestDesign, wholeSampleSize } from './sample-size.ts'

/** Two-sided power of the paired t test at `n` pairs (need not be whole) for an effect of d standard deviations of the differences. */
export function pairedTPower(n: number, d: number, alpha: number): number {
  const df = n - 1
  const critical = -tQuantile(alpha / 2, df)
  const noncentrality = d * Math.sqrt(n)
  return 1 - noncentralTCdf(critical, df, noncentrality) + noncentralTCdf(-critical, df, noncentrality)
}

/**
 * Pairs needed by the two-sided paired t test for an effect of d = |mean difference| / sd of the differences (no unit).
 *
 * The power of the noncentral t, solved for n by bisection. Assumes normal differences.
 * Source: Cohen 1988; as statsmodels' `TTestPower.solve_power`.
 */
export function pairedTSampleSize(d: number, design: TestDesign): SampleSize {
  requireOpenUnit('power', design.power)
  if (d === 0 || !Number.isFinite(d)) throw new RangeError(`d is ${d}; give a finite effect size that is not 0`)
  const size = Math.abs(d)
  const isEnough = (n: number): boolean => pairedTPower(n, size, design.alpha) >= design.power
  let high = Math.max(4, (criticalSum(design) / size) ** 2 + 4)
  while (!isEnough(high)) high *= 2
  let low = 1 + 1e-6
  while (high - low > 1e-9 * high) {
    const middle = (low + high) / 2
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return wholeSampleSize(high)
}
