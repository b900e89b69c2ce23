import { betaCdf } from './beta.ts'
import { logGamma } from './gamma.ts'
import { normalCdf } from './normal.ts'

/**
 * Distribution function of the noncentral t at `t`, `df` > 0 degrees of freedom, noncentrality |delta| < 37.
 *
 * P(T <= t) = Φ(-δ) + ½ Σ_j [ p_j I_x(j+½, df/2) + q_j I_x(j+1, df/2) ] for t >= 0, x = t²/(df+t²), with p_j and q_j the
 * weights of a Poisson of mean δ²/2 at j and at j+½. Source: Lenth 1989, algorithm AS 243.
 */
export function noncentralTCdf(t: number, df: number, delta: number): number {
  if (t < 0) return 1 - noncentralTCdf(-t, df, -delta)
  const half = (delta * delta) / 2
  const x = (t * t) / (df + t * t)
  const y = df / (df + t * t)
  let even = Math.exp(-half)
  let odd = (delta * Math.exp(-half - logGamma(1.5))) / Math.SQRT2
  let total = 0
  for (let j = 0; j < 10_000; j++) {
    const term = even * betaCdf(x, j + 0.5, df / 2, y) + odd * betaCdf(x, j + 1, df / 2, y)
    total += term
    if (j > half && Math.abs(term) < 1e-16) break
    even *= half / (j + 1)
    odd *= half / (j + 1.5)
  }
  return Math.min(1, Math.max(0, normalCdf(-delta) + total / 2))
}
