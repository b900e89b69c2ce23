import { requireNonNegative, requirePositive } from '../checks.ts'
import { upperGamma } from './gamma.ts'

/** Upper tail P(X > x) of chi-squared with `df` degrees of freedom: Q(df/2, x/2) (A&S 26.4.19). */
export function chiSquaredSf(x: number, df: number): number {
  requireNonNegative('x', x)
  requirePositive('df', df)
  return upperGamma(df / 2, x / 2)
}
