import { alphaSpendingBounds } from '../alpha-spending.ts'
import { normalQuantile, normalSf } from '../distributions/normal.ts'
import { at } from '../sample.ts'
import type { Assessment } from './assess-look.ts'

export interface RacePlan {
  /** M, in the unit of the scores. */
  readonly margin: number
  /** One-sided error over all candidates of the group. */
  readonly alpha: number
  readonly candidates: number
  /** Share of the cases at each look, rising to 1. */
  readonly shares: readonly number[]
}

/** Share of the cases above which missing scores leave an arm undecided. */
export const mostMissing = 0.05
/** Conditional power below which a candidate is dropped. */
const leastPower = 0.05

export interface LookDecision {
  readonly verdict: 'accepted' | 'dropped' | 'undecided' | 'continue'
  readonly reason: 'noninferior' | 'futile' | 'worse' | 'missing' | 'inconclusive' | null
  /** One-sided bound that z had to reach. */
  readonly bound: number
  readonly conditionalPower: number
}

/**
 * One look of a group-sequential Holm test for non-inferiority: the candidates that are still open, by their statistics at this look.
 *
 * A candidate is accepted when its z reaches the O'Brien-Fleming bound at alpha/(K - j), j candidates accepted so far; each acceptance
 * lowers the bound of the others at once. One whose conditional power at d + SE is below 5 % is dropped, which only ever withholds, so
 * the chance of accepting any candidate that is worse by the margin or more stays at most alpha. At the last look what is neither
 * accepted nor shown to be worse is undecided. Sources: Lan & DeMets 1983; Ye, Li, Liu & Yao 2013; Jennison & Turnbull 1999, chapter 10.
 *
 * @param look index of the look
 * @param acceptedBefore candidates of the group accepted earlier
 */
export function decideLook(plan: RacePlan, look: number, acceptedBefore: number, open: readonly Assessment[]): LookDecision[] {
  const share = at(plan.shares, look)
  const isLast = look === plan.shares.length - 1
  const accepted = new Set<number>()
  const boundsNow = () => bounds(plan.shares, plan.alpha / Math.max(1, plan.candidates - acceptedBefore - accepted.size))
  const boundAt = new Map<number, number>()
  for (let again = true; again; ) {
    again = false
    const bound = at(boundsNow(), look)
    for (const [i, assessment] of open.entries()) {
      if (accepted.has(i) || isIncomplete(assessment, assessment.n) || assessment.z < bound) continue
      accepted.add(i)
      boundAt.set(i, bound)
      again = true
      break
    }
  }
  const present = boundsNow()
  return open.map((assessment, i): LookDecision => {
    const bound = boundAt.get(i) ?? at(present, look)
    const conditionalPower = powerLeft(assessment, plan.margin, share, at(present, present.length - 1))
    const decision = { bound, conditionalPower }
    if (accepted.has(i)) return { ...decision, verdict: 'accepted', reason: 'noninferior' }
    if (isIncomplete(assessment, assessment.n / share) || (isLast && isIncomplete(assessment, assessment.n)))
      return { ...decision, verdict: 'undecided', reason: 'missing' }
    if (isLast)
      return assessment.z <= -normalQuantile(1 - plan.alpha)
        ? { ...decision, verdict: 'dropped', reason: 'worse' }
        : { ...decision, verdict: 'undecided', reason: 'inconclusive' }
    if (conditionalPower < leastPower) return { ...decision, verdict: 'dropped', reason: 'futile' }
    return { ...decision, verdict: 'continue', reason: null }
  })
}

/** More than 5 % of `of` cases have no score. */
function isIncomplete({ missing }: Assessment, of: number): boolean {
  return missing.candidate > mostMissing * of || missing.current > mostMissing * of
}

/**
 * The probability of reaching the last bound c if the true difference is d + SE:
 * Φ((z√t + (1-t)(d + SE + M)/(SE√t) - c)/√(1-t)). Source: Lan & Wittes 1988.
 */
function powerLeft({ z, difference, standardError: se }: Assessment, margin: number, t: number, c: number): number {
  if (t >= 1) return z >= c ? 1 : 0
  const gap = difference + se + margin
  if (se === 0) return gap > 0 ? 1 : 0
  return normalSf(-(z * Math.sqrt(t) + ((1 - t) * gap) / (se * Math.sqrt(t)) - c) / Math.sqrt(1 - t))
}

const known = new Map<string, readonly number[]>()
const mostKnown = 500

/** One-sided O'Brien-Fleming bounds, remembered: every look of every group asks for them. */
export function bounds(shares: readonly number[], alpha: number): readonly number[] {
  const key = `${alpha} ${shares.join(' ')}`
  const found = known.get(key)
  if (found) return found
  const { zBounds } = alphaSpendingBounds({ spending: 'obrien_fleming', informationFractions: shares, alpha, sides: 1 })
  if (known.size >= mostKnown) known.clear()
  known.set(key, zBounds)
  return zBounds
}
