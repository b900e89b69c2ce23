import type { Interval } from './estimate.ts'

/**
 * Shiryaev–Roberts e-detector for the mean of scores in [0, 1] that arrive one by one: Mⱼ ← (Mⱼ + 1)(1 + λⱼ(m₀ − x)), with an alarm
 * when the mean of the Mⱼ reaches A. While E[x | past] ≥ m₀ the mean of the Mⱼ minus the count of scores is a supermartingale, so the
 * mean run to a false alarm is at least A. Scores that repeat one another, as in one conversation, break that condition after a bad
 * one, and raise more alarms. Source: Shin, Ramdas and Rinaldo 2023, "E-detectors".
 */
export interface DriftState {
  /** Mⱼ against a fall of the mean below the floor, one for each bet. */
  readonly fall: readonly number[]
  /** The same, mirrored, against a rise above the ceiling. */
  readonly rise: readonly number[]
}

/** Means that count as unchanged. */
export interface DriftBounds {
  /** m₀: from here up nothing has fallen; at or below 0 no fall can be seen. */
  readonly floor: number
  /** Up to here nothing has risen; at or above 1 no rise can be seen. */
  readonly ceiling: number
}

export interface DriftAlarm {
  /** Position of the score that raised it. */
  readonly index: number
  readonly kind: 'regression' | 'improvement'
}

export interface DriftStep {
  readonly fall: number
  readonly rise: number
}

export interface DriftWatch {
  readonly state: DriftState
  readonly alarms: readonly DriftAlarm[]
  /** The detector after each score, before a restart. */
  readonly path: readonly DriftStep[]
}

/** λⱼ times 1 − m₀: the largest stays below 1, so that no score takes a detector to 0. */
const bets = [0.02, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.85] as const

export function newDriftState(): DriftState {
  return { fall: bets.map(() => 0), rise: bets.map(() => 0) }
}

/**
 * The bounds of a baseline.
 * @param interval two-sided interval of the baseline's mean
 * @param tolerance change beyond the interval that is accepted
 */
export function driftBounds({ low, high }: Pick<Interval, 'low' | 'high'>, tolerance: number): DriftBounds {
  return { floor: low - tolerance, ceiling: high + tolerance }
}

/**
 * Takes scores in time order; a side that raised an alarm starts again from nothing.
 * @param scores each in [0, 1]
 * @param runLength A: mean number of scores between false alarms of a side, at least 1
 */
export function watchDrift(state: DriftState, scores: readonly number[], bounds: DriftBounds, runLength: number): DriftWatch {
  if (!(runLength >= 1)) throw new RangeError(`The run length is ${runLength}; give at least 1.`)
  const alarms: DriftAlarm[] = []
  const path: DriftStep[] = []
  const fall = [...state.fall]
  const rise = [...state.rise]
  scores.forEach((score, index) => {
    if (!(score >= 0 && score <= 1)) throw new RangeError(`The score at position ${index} is ${score}; scores are from 0 to 1.`)
    const step = { fall: advance(fall, score, bounds.floor), rise: advance(rise, 1 - score, 1 - bounds.ceiling) }
    path.push(step)
    if (step.fall >= runLength) {
      alarms.push({ index, kind: 'regression' })
      fall.fill(0)
    }
    if (step.rise >= runLength) {
      alarms.push({ index, kind: 'improvement' })
      rise.fill(0)
    }
  })
  return { state: { fall, rise }, alarms, path }
}

/** One score; answers the mean of the detectors. A floor that scores cannot be below has nothing to see. */
function advance(detectors: number[], score: number, floor: number): number {
  if (floor <= 0) return 0
  let sum = 0
  bets.forEach((bet, j) => {
    // A floor of 1 or more would bet everything: the bet is kept finite by scaling with the distance that a score can be above it.
    const factor = floor >= 1 ? 1 + bet * (1 - score) : 1 + (bet / (1 - floor)) * (floor - score)
    const next = ((detectors[j] ?? 0) + 1) * factor
    detectors[j] = next
    sum += next
  })
  return sum / bets.length
}
