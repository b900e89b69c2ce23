import { requireNonNegative } from './checks.ts'
import { ELO_SCALE } from './elo.ts'
import { invertMatrix, type Matrix } from './matrix.ts'
import { at, mean, sum } from './sample.ts'

export interface BradleyTerryFit {
  /** Strengths β with sum 0: model i beats j with probability 1/(1 + e^(β_j - β_i)). */
  readonly logStrengths: number[]
  readonly standardErrors: number[]
  /** Covariances of the strengths, the pseudo-inverse of the information. */
  readonly covariance: number[][]
  /** 1000 + 400/ln 10 β: strengths as Elo points around 1000. */
  readonly eloScale: number[]
}

export type BradleyTerry = { readonly fit: BradleyTerryFit; readonly reason: null } | { readonly fit: null; readonly reason: string }

/**
 * Bradley-Terry strengths by maximum likelihood from a table of wins, `wins[i][j]` = times that i beat j, ties as half a win each.
 *
 * Newton's method on the concave likelihood, started at 0. Finite only if the models cannot be split into two groups of which
 * one never beat the other (Ford 1957); otherwise undefined, unless `prior` adds that many wins to every pair in both directions.
 * Assumes independent games and one strength per model.
 * Source: Bradley & Terry 1952; Ford 1957; Hunter 2004 for the likelihood and the sum-zero form.
 */
export function bradleyTerry(wins: readonly (readonly number[])[], options: { readonly prior?: number } = {}): BradleyTerry {
  const { prior = 0 } = options
  requireNonNegative('prior', prior)
  const models = wins.length
  const table = wins.map((row, i) => {
    if (row.length !== models)
      throw new RangeError(`row ${i} of wins has ${row.length} entries and there are ${models} models; give a square table`)
    return row.map((count, j) => {
      requireNonNegative(`wins[${i}][${j}]`, count)
      return i === j ? 0 : count + prior
    })
  })
  if (models < 2) return { fit: null, reason: 'A ranking needs at least two models.' }
  if (!reachesAll(table, (i, j) => at(at(table, i), j)) || !reachesAll(table, (i, j) => at(at(table, j), i))) {
    const reason =
      'Some models won, or lost, every battle against the rest (the comparison graph is not strongly connected), so their strengths are not finite. Rank by Elo, or add battles that they lost or won.'
    return { fit: null, reason }
  }
  return { fit: fit(table), reason: null }
}

/** Probability that the model of strength `first` beats the one of strength `second`. */
export function beatProbability(first: number, second: number): number {
  return 1 / (1 + Math.exp(second - first))
}

/** Standard error of β_i - β_j. */
export function strengthDifferenceError({ covariance }: BradleyTerryFit, i: number, j: number): number {
  const entry = (row: number, column: number): number => at(at(covariance, row), column)
  return Math.sqrt(Math.max(0, entry(i, i) + entry(j, j) - 2 * entry(i, j)))
}

/** Whether every model can be reached from the first along pairs with a positive count. */
function reachesAll(table: Matrix, count: (i: number, j: number) => number): boolean {
  const reached = new Set([0])
  for (const i of reached) table.forEach((_, j) => count(i, j) > 0 && reached.add(j))
  return reached.size === table.length
}

function fit(table: Matrix): BradleyTerryFit {
  let beta: readonly number[] = table.map(() => 0)
  for (let iteration = 0; iteration < 200; iteration++) {
    const { gradient, information } = derivatives(table, beta)
    const step = inverseInformation(information).map(row => sum(row.map((entry, j) => entry * at(gradient, j))))
    const next = improved(table, beta, step)
    if (next === null) break
    const moved = Math.max(...next.map((value, i) => Math.abs(value - at(beta, i))))
    beta = next
    if (moved < 1e-12) break
  }
  const covariance = inverseInformation(derivatives(table, beta).information)
  return {
    logStrengths: [...beta],
    standardErrors: covariance.map((row, i) => Math.sqrt(Math.max(0, at(row, i)))),
    covariance,
    eloScale: beta.map(value => 1000 + (ELO_SCALE / Math.LN10) * value),
  }
}

/** The point a Newton step away, the step halved until it does not overshoot; null when only rounding is left to gain. */
function improved(table: Matrix, beta: readonly number[], step: readonly number[]): number[] | null {
  const likelihood = logLikelihood(table, beta)
  for (let scale = 1; scale > 1e-10; scale /= 2) {
    const next = centered(beta.map((value, i) => value + scale * at(step, i)))
    if (logLikelihood(table, next) >= likelihood) return next
  }
  return null
}

function centered(values: readonly number[]): number[] {
  const center = mean(values)
  return values.map(value => value - center)
}

function logLikelihood(table: Matrix, beta: readonly number[]): number {
  return sum(
    table.map((row, i) => sum(row.map((count, j) => (count === 0 ? 0 : -count * Math.log1p(Math.exp(at(beta, j) - at(beta, i))))))),
  )
}

function derivatives(table: Matrix, beta: readonly number[]): { gradient: number[]; information: number[][] } {
  const gradient = beta.map(() => 0)
  const information = beta.map(() => beta.map(() => 0))
  table.forEach((row, i) => {
    const own = at(information, i)
    row.forEach((won, j) => {
      const games = won + at(at(table, j), i)
      if (games === 0) return
      const p = beatProbability(at(beta, i), at(beta, j))
      const weight = games * p * (1 - p)
      gradient[i] = at(gradient, i) + won - games * p
      own[i] = at(own, i) + weight
      own[j] = at(own, j) - weight
    })
  })
  return { gradient, information }
}

/** The pseudo-inverse of an information whose rows sum to 0: (I + J/m)⁻¹ - J/m with J all ones. */
function inverseInformation(information: Matrix): number[][] {
  const share = 1 / information.length
  return invertMatrix(information.map(row => row.map(entry => entry + share))).map(row => row.map(entry => entry - share))
}
