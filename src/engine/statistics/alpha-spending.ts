import { requireOpenUnit } from './checks.ts'
import { normalQuantile, normalSf } from './distributions/normal.ts'
import { at } from './sample.ts'

export type SpendingFunction = 'obrien_fleming' | 'pocock'

export interface SpendingPlan {
  readonly spending: SpendingFunction
  /** Share of the planned information at each look, rising, the last at most 1. */
  readonly informationFractions: readonly number[]
  /** Total error over all looks. */
  readonly alpha: number
  readonly sides: 1 | 2
}

export interface SpendingBounds {
  /** Error spent up to and including each look. */
  readonly cumulativeAlpha: number[]
  /** Reject at a look when |z| (two-sided) or z (one-sided) reaches its bound. */
  readonly zBounds: number[]
  /** The bounds as p-values of a single look. */
  readonly nominalP: number[]
}

/** Points of the grid over which the density of the test statistic is carried from look to look; odd, for Simpson's rule. */
const GRID = 801
/** How many standard deviations of the next step the one-sided grid reaches below zero. */
const REACH = 9

/**
 * Bounds for looking several times at a growing sample, by Lan and DeMets' error spending.
 *
 * Spent by fraction t, one-sided at error a: 2(1 - Φ(z_{a/2}/sqrt t)) (O'Brien-Fleming type) or a ln(1+(e-1)t) (Pocock type).
 * A two-sided plan spends alpha/2 on each side, which is not the same as spending alpha once. Bounds are found by the
 * recursion of Armitage, McPherson & Rowe 1969 with Simpson's rule, to about 1e-6. Assumes a normal statistic with
 * independent increments. Source: Lan & DeMets 1983; Jennison & Turnbull 1999, chapters 7 and 19.
 */
export function alphaSpendingBounds(plan: SpendingPlan): SpendingBounds {
  checkPlan(plan)
  const { spending, informationFractions, alpha, sides } = plan
  const spent = informationFractions.map(t => sides * spend(spending, alpha / sides, t))
  const zBounds: number[] = []
  let density: Density = { points: [0], masses: [1], time: 0 }
  informationFractions.forEach((time, look) => {
    const budget = at(spent, look) - (look === 0 ? 0 : at(spent, look - 1))
    const z = boundFor(density, time, budget / sides)
    zBounds.push(z)
    density = advance(density, time, z * Math.sqrt(time), sides)
  })
  return { cumulativeAlpha: spent, zBounds, nominalP: zBounds.map(z => Math.min(1, sides * normalSf(z))) }
}

function spend(spending: SpendingFunction, alpha: number, t: number): number {
  return spending === 'pocock' ? alpha * Math.log1p((Math.E - 1) * t) : 2 * normalSf(-normalQuantile(alpha / 2) / Math.sqrt(t))
}

/** The process S = z sqrt(t) while no bound has been crossed: probability masses at points, at information time `time`. */
interface Density {
  readonly points: readonly number[]
  readonly masses: readonly number[]
  readonly time: number
}

/** The z at which the probability of crossing upwards at this look is `budget`. */
function boundFor({ points, masses, time: before }: Density, time: number, budget: number): number {
  const step = Math.sqrt(time - before)
  const crossing = (z: number): number => {
    let total = 0
    for (const [i, mass] of masses.entries()) total += mass * normalSf((z * Math.sqrt(time) - at(points, i)) / step)
    return total
  }
  let [low, high] = [-10, 40]
  for (let iteration = 0; iteration < 60; iteration++) {
    const middle = (low + high) / 2
    if (crossing(middle) > budget) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The density at the next look, on Simpson points between the bounds. */
function advance({ points, masses, time: before }: Density, time: number, bound: number, sides: 1 | 2): Density {
  const step = Math.sqrt(time - before)
  const lowest = sides === 2 ? -bound : Math.min(-REACH * Math.sqrt(time), bound - 1)
  const width = (bound - lowest) / (GRID - 1)
  const grid = Array.from({ length: GRID }, (_, i) => lowest + i * width)
  const next = grid.map((point, i) => {
    let value = 0
    for (const [j, mass] of masses.entries()) {
      const distance = (point - at(points, j)) / step
      value += mass * Math.exp((-distance * distance) / 2)
    }
    const weight = i === 0 || i === GRID - 1 ? 1 : i % 2 === 1 ? 4 : 2
    return (value / (step * Math.sqrt(2 * Math.PI))) * ((weight * width) / 3)
  })
  return { points: grid, masses: next, time }
}

function checkPlan({ informationFractions, alpha }: SpendingPlan): void {
  requireOpenUnit('alpha', alpha)
  if (informationFractions.length === 0) throw new RangeError('informationFractions is empty; give the share of information at each look')
  informationFractions.forEach((t, look) => {
    const previous = look === 0 ? 0 : at(informationFractions, look - 1)
    if (!(t > previous && t <= 1)) {
      throw new RangeError(`informationFractions[${look}] is ${t}; give rising fractions above 0 and at most 1`)
    }
  })
}
