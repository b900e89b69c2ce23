import { detectableDifference } from '../../lib/detectable-difference.ts'
import { requireCount, requireNonNegative, requireOpenUnit, requirePositive, requireUnit } from './checks.ts'
import { normalQuantile } from './distributions/normal.ts'
import { defined, type Estimate, undefinedBecause } from './estimate.ts'

/** A number of questions: `exact` solves the equation, `n` is the whole number to use. */
export interface SampleSize {
  readonly exact: number
  readonly n: number
}

/** Errors of a planned test: α two-sided unless said otherwise. */
export interface TestDesign {
  readonly alpha: number
  readonly power: number
}

/** Variances of a planned comparison of models A and B, in squared units of the scores. */
export interface ComparisonVariances {
  /** ω²: Var(x_A) + Var(x_B) - 2 Cov of the questions' true scores. */
  readonly omega2: number
  /** Mean variance of A's repeated answers to one question. */
  readonly sigma2A: number
  readonly sigma2B: number
  /** Answers per question. */
  readonly answersA: number
  readonly answersB: number
}

/** Rounds up, but forgives rounding just above a whole number. */
export function wholeSampleSize(exact: number): SampleSize {
  return { exact, n: Math.max(1, Math.ceil(exact - 1e-9 * exact)) }
}

/** z_{α/2} + z_power for a two-sided, z_α + z_power for a one-sided test. */
export function criticalSum({ alpha, power }: TestDesign, sides: 1 | 2 = 2): number {
  requireOpenUnit('alpha', alpha)
  requireOpenUnit('power', power)
  const total = normalQuantile(power) - normalQuantile(alpha / sides)
  if (total <= 0) throw new RangeError(`power is ${power}, no more than the test's own error rate; give a power above alpha = ${alpha}`)
  return total
}

function variancePerQuestion({ omega2, sigma2A, sigma2B, answersA, answersB }: ComparisonVariances): number {
  requireNonNegative('omega2', omega2)
  requireNonNegative('sigma2A', sigma2A)
  requireNonNegative('sigma2B', sigma2B)
  requireCount('answersA', answersA, 1)
  requireCount('answersB', answersB, 1)
  return omega2 + sigma2A / answersA + sigma2B / answersB
}

const NO_VARIANCE = 'The assumed variances are all 0, so any difference would be certain; assume some variation.'

/**
 * Questions needed to detect a difference δ: n = (z_{α/2} + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ².
 * Assumes independent questions and a normal mean difference. Source: Miller 2024 (arXiv 2411.00640), power analysis.
 */
export function comparisonSampleSize(variances: ComparisonVariances, delta: number, design: TestDesign): Estimate<SampleSize> {
  requirePositive('delta', delta)
  const variance = variancePerQuestion(variances)
  if (variance === 0) return undefinedBecause(NO_VARIANCE)
  return defined(wholeSampleSize((criticalSum(design) ** 2 * variance) / delta ** 2))
}

/**
 * Smallest difference detectable with n questions, (z_{α/2} + z_β) sqrt((ω² + σ_A²/K_A + σ_B²/K_B)/n), in the unit of the scores.
 * Assumes what `comparisonSampleSize` does, whose inverse it is. Source: Miller 2024.
 */
export function comparisonDetectableEffect(variances: ComparisonVariances, n: number, design: TestDesign): Estimate {
  requireCount('n', n, 1)
  const variance = variancePerQuestion(variances)
  return variance === 0 ? undefinedBecause(NO_VARIANCE) : defined(detectableDifference(variance, n, criticalSum(design)))
}

/**
 * Questions needed for McNemar's test: (z_{α/2} sqrt(p_d) + z_β sqrt(p_d - d²))² / d².
 *
 * @param discordant probability p_d that exactly one of the two models passes a question.
 * @param difference p_A - p_B, not 0, at most p_d in size. Source: Miettinen 1968; Connor 1987, unconditional.
 */
export function mcnemarSampleSize(discordant: number, difference: number, design: TestDesign): SampleSize {
  requireUnit('discordant', discordant)
  requireOpenUnit('alpha', design.alpha)
  requireOpenUnit('power', design.power)
  if (difference === 0 || !(Math.abs(difference) <= discordant)) {
    throw new RangeError(`difference is ${difference}; give one that is not 0 and not above the discordant share of ${discordant}`)
  }
  const zAlpha = -normalQuantile(design.alpha / 2)
  const root = zAlpha * Math.sqrt(discordant) + normalQuantile(design.power) * Math.sqrt(discordant - difference ** 2)
  return wholeSampleSize(root ** 2 / difference ** 2)
}

/**
 * Questions per model for two independent proportions: (z_{α/2} + z_β)² [p1(1-p1) + p2(1-p2)] / (p1-p2)².
 * Source: unpooled Wald form; Fleiss 1981.
 */
export function twoProportionSampleSize(p1: number, p2: number, design: TestDesign): Estimate<SampleSize> {
  requireUnit('p1', p1)
  requireUnit('p2', p2)
  if (p1 === p2) throw new RangeError(`p1 and p2 are both ${p1}; give two different rates`)
  const variance = p1 * (1 - p1) + p2 * (1 - p2)
  return variance === 0 ? undefinedBecause(NO_VARIANCE) : defined(wholeSampleSize((criticalSum(design) ** 2 * variance) / (p1 - p2) ** 2))
}

/**
 * Questions per model to show that the new rate is not worse than the old by `margin`, at one-sided α:
 * (z_α + z_β)² [p_n(1-p_n) + p_o(1-p_o)] / (p_n - p_o + M)². Source: Wald form; Blackwelder 1982.
 */
export function noninferioritySampleSize(pNew: number, pOld: number, margin: number, design: TestDesign): Estimate<SampleSize> {
  requireUnit('pNew', pNew)
  requireUnit('pOld', pOld)
  requireOpenUnit('margin', margin)
  const distance = pNew - pOld + margin
  if (distance <= 0)
    return undefinedBecause('The new rate is assumed to be worse by the margin or more, so no sample can show the opposite.')
  const variance = pNew * (1 - pNew) + pOld * (1 - pOld)
  return variance === 0 ? undefinedBecause(NO_VARIANCE) : defined(wholeSampleSize((criticalSum(design, 1) ** 2 * variance) / distance ** 2))
}
