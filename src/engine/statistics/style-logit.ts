import { beatProbability } from './bradley-terry.ts'
import { invertMatrix } from './matrix.ts'
import { at, sum } from './sample.ts'

/** A game of two models, with how their answers differ in style. */
interface StyledGame {
  readonly first: number
  readonly second: number
  /** Of the first: 1 a win, 0.5 a tie, 0 a loss. */
  readonly score: number
  /** Differences in style, each on a scale of its own. */
  readonly style: readonly number[]
}

/** Strengths of the models, then weights of the styles. */
type Parameters = readonly number[]

/** Keeps the directions that the games say nothing about where they are: all strengths alike, and a style that never varies. */
const ridge = 1e-6

/**
 * Bradley-Terry strengths beside the weight of each difference in style: a logistic regression by Newton's method.
 * Source: Bradley & Terry 1952 with covariates; Chiang et al. 2024 for style.
 * @param times how often each game counts @param from where the search begins @returns null where it does not converge
 */
export function styleLogit(games: readonly StyledGame[], times: ArrayLike<number>, from: Parameters): Parameters | null {
  const size = from.length
  let parameters = [...from]
  for (let iteration = 0; iteration < 50; iteration++) {
    const { gradient, information } = derivatives(games, times, parameters)
    const rows = Array.from({ length: size }, (_, i) => [...information.subarray(i * size, (i + 1) * size)])
    const step = invertMatrix(rows).map(row => sum(row.map((entry, j) => entry * at(gradient, j))))
    const longest = Math.max(...step.map(Math.abs))
    // A longer step in the log odds overshoots.
    const scale = Math.min(1, 10 / longest)
    parameters = parameters.map((value, i) => value + scale * at(step, i))
    if (parameters.some(value => !Number.isFinite(value) || Math.abs(value) > 50)) return null
    if (longest < 1e-8) return parameters
  }
  return null
}

/** In plain loops: they run over every game, for every sample of a bootstrap. */
function derivatives(games: readonly StyledGame[], times: ArrayLike<number>, parameters: Parameters) {
  const size = parameters.length
  const gradient = Float64Array.from(parameters, value => -ridge * value)
  const information = new Float64Array(size * size)
  for (let i = 0; i < size; i++) information[i * size + i] = ridge
  const models = size - (games[0]?.style.length ?? 0)
  const row = new Float64Array(size)
  for (let game = 0; game < games.length; game++) {
    const count = at(times, game)
    if (count === 0) continue
    const { first, second, score, style } = at(games, game)
    row[first] = 1
    row[second] = -1
    for (let i = 0; i < style.length; i++) row[models + i] = at(style, i)
    const places = [first, second, ...style.map((_, i) => models + i)]
    let odds = 0
    for (const i of places) odds += at(row, i) * at(parameters, i)
    const p = beatProbability(odds, 0)
    const weight = count * p * (1 - p)
    for (const i of places) {
      gradient[i] = at(gradient, i) + at(row, i) * count * (score - p)
      for (const j of places) information[i * size + j] = at(information, i * size + j) + weight * at(row, i) * at(row, j)
    }
    row[first] = 0
    row[second] = 0
  }
  return { gradient, information }
}
