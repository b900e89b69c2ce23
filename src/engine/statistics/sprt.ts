import { requireCount, requireOpenUnit } from './checks.ts'

export interface Sprt {
  /** Log likelihood ratio of p1 to p0. */
  readonly logLikelihoodRatio: number
  /** ln((1-β)/α): at or above it p1 is accepted. */
  readonly upper: number
  /** ln(β/(1-α)): at or below it p0 is accepted. */
  readonly lower: number
  readonly decision: 'accept_h0' | 'accept_h1' | 'continue'
}

/** The two rates and errors of Wald's test. */
export interface SprtDesign {
  readonly p0: number
  readonly p1: number
  /** Probability of accepting p1 when p0 holds. */
  readonly alpha: number
  /** Probability of accepting p0 when p1 holds. */
  readonly beta: number
}

/** Wald's sequential probability ratio test of p0 against p1 for independent pass/fail outcomes. Source: Wald 1945. */
export function bernoulliSprt(successes: number, failures: number, { p0, p1, alpha, beta }: SprtDesign): Sprt {
  requireCount('successes', successes)
  requireCount('failures', failures)
  for (const [name, value] of Object.entries({ p0, p1, alpha, beta })) requireOpenUnit(name, value)
  if (p0 === p1) throw new RangeError(`p0 and p1 are both ${p0}; give two different rates`)
  if (alpha + beta >= 1) throw new RangeError(`alpha + beta is ${alpha + beta}; give errors that add up to less than 1`)
  const logLikelihoodRatio = successes * Math.log(p1 / p0) + failures * Math.log((1 - p1) / (1 - p0))
  const upper = Math.log((1 - beta) / alpha)
  const lower = Math.log(beta / (1 - alpha))
  const decision = logLikelihoodRatio >= upper ? 'accept_h1' : logLikelihoodRatio <= lower ? 'accept_h0' : 'continue'
  return { logLikelihoodRatio, upper, lower, decision }
}
