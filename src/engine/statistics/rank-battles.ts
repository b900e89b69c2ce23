import { sortedQuantile } from './bootstrap.ts'
import { bradleyTerry } from './bradley-terry.ts'
import { ELO_SCALE, eloUpdate } from './elo.ts'
import { mulberry32, type Random } from './random.ts'
import { at, mean, variance } from './sample.ts'
import { styleLogit } from './style-logit.ts'

/** One battle of two models, by their places in the list of models. */
export interface Battle {
  readonly first: number
  readonly second: number
  /** Of the first: 1 a win, 0.5 a tie, 0 a loss. */
  readonly score: number
  /** Amounts of style in both answers, such as their lengths; empty without style control. */
  readonly style: readonly (readonly [number, number])[]
}

interface RankingOptions {
  readonly method: 'bradley_terry' | 'elo'
  /** Rating points that one game moves at most, for Elo. */
  readonly k: number
  readonly resamples: number
  readonly seed: number
  readonly level: number
}

interface RankedModel {
  /** Points around 1000, on Elo's scale of 400. */
  readonly rating: number
  /** Percentile interval of the bootstrap over battles; null where too many of its samples have no ratings. */
  readonly interval: readonly [number, number] | null
  /** One more than the models whose interval lies above this one's; null without intervals. */
  readonly rank: number | null
}

type Ranking =
  | {
      readonly models: readonly RankedModel[]
      /** Log odds that a standard deviation of each difference in style is worth; empty without style control. */
      readonly styleWeights: readonly number[]
      /** Samples of the bootstrap that had ratings. */
      readonly resamples: number
      readonly reason: null
    }
  | { readonly models: null; readonly reason: string }

interface Rated {
  readonly ratings: readonly number[]
  readonly weights: readonly number[]
}

/** Below this share of samples with ratings, an interval would be of those that happen to have some. */
const leastShare = 0.9

/**
 * Ratings of models from battles, ties as half a win. Bradley-Terry takes the battles together, with the differences in style beside the
 * strengths where there are any; Elo takes them in their order. Intervals are percentiles of ratings of battles drawn with replacement.
 */
export function rankBattles(battles: readonly Battle[], models: number, options: RankingOptions): Ranking {
  const styles = battles[0]?.style.length ?? 0
  if (options.method === 'elo' && styles > 0) return { models: null, reason: 'Elo has no style control; choose Bradley-Terry.' }
  const plain = createPlain(battles, models)
  const styled = styles > 0 ? createStyled(battles, models, styles, plain) : null
  const rate = (drawn: readonly number[]): Rated | string =>
    options.method === 'elo'
      ? {
          ratings: eloRatings(
            drawn.map(i => at(battles, i)),
            models,
            options.k,
          ),
          weights: [],
        }
      : (styled?.(drawn) ?? plain(drawn))
  const found = rate([...battles.keys()])
  if (typeof found === 'string') return { models: null, reason: found }
  const random = mulberry32(options.seed)
  const samples = Array.from({ length: options.resamples }, () => rate(drawnAnew(battles.length, random))).filter(
    one => typeof one !== 'string',
  )
  const hasIntervals = options.resamples > 0 && samples.length >= leastShare * options.resamples
  const tail = (1 - options.level) / 2
  const intervals = found.ratings.map((_, i) => {
    if (!hasIntervals) return null
    const ratings = Float64Array.from(samples, sample => at(sample.ratings, i)).sort()
    return [sortedQuantile(ratings, tail), sortedQuantile(ratings, 1 - tail)] as const
  })
  return {
    models: found.ratings.map((rating, i) => {
      const interval = intervals[i] ?? null
      const above = interval && intervals.filter(other => other !== null && other[0] > interval[1]).length
      return { rating, interval, rank: above === null ? null : above + 1 }
    }),
    styleWeights: found.weights,
    resamples: samples.length,
    reason: null,
  }
}

function drawnAnew(count: number, random: Random): number[] {
  return Array.from({ length: count }, () => Math.floor(random() * count))
}

/** Rates drawn battles by their number alone: of many battles most are alike. */
function createPlain(battles: readonly Battle[], models: number): (drawn: readonly number[]) => Rated | string {
  const kinds: Battle[] = []
  const places = new Map<string, number>()
  const kindOf = Uint32Array.from(battles, battle => {
    const key = `${battle.first} ${battle.second} ${battle.score}`
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, kinds.length)
    return kinds.push(battle) - 1
  })
  return drawn => {
    const counts = new Float64Array(kinds.length)
    for (const i of drawn) counts[kindOf[i] ?? 0] = at(counts, kindOf[i] ?? 0) + 1
    const wins = Array.from({ length: models }, () => Array.from({ length: models }, () => 0))
    for (const [i, { first, second, score }] of kinds.entries()) {
      const [won, lost] = [at(wins, first), at(wins, second)]
      won[second] = at(won, second) + at(counts, i) * score
      lost[first] = at(lost, first) + at(counts, i) * (1 - score)
    }
    const { fit, reason } = bradleyTerry(wins)
    return fit ? { ratings: fit.eloScale, weights: [] } : reason
  }
}

/** Rates drawn battles beside their differences in style; samples of the bootstrap begin where all battles ended. */
function createStyled(
  battles: readonly Battle[],
  models: number,
  styles: number,
  plain: (drawn: readonly number[]) => Rated | string,
): (drawn: readonly number[]) => Rated | string {
  const differences = scaledStyles(battles, styles)
  const games = battles.map(({ first, second, score }, i) => ({ first, second, score, style: at(differences, i) }))
  let from: readonly number[] = Array.from({ length: models + styles }, () => 0)
  return drawn => {
    const connected = plain(drawn)
    if (typeof connected === 'string') return connected
    const times = new Uint32Array(games.length)
    for (const i of drawn) times[i] = at(times, i) + 1
    const found = styleLogit(games, times, from)
    if (!found) return 'Style decides every battle, so that no finite strengths exist beside it. Leave a style out.'
    from = found
    const strengths = found.slice(0, models)
    const center = mean(strengths)
    return { ratings: strengths.map(value => 1000 + (ELO_SCALE / Math.LN10) * (value - center)), weights: found.slice(models) }
  }
}

/** Relative differences in style, in standard deviations over all battles. They keep their sign, so that the order of two answers is nothing. */
function scaledStyles(battles: readonly Battle[], styles: number): number[][] {
  const raw = battles.map(({ style }) => style.map(([first, second]) => (first + second === 0 ? 0 : (first - second) / (first + second))))
  const spreads = Array.from({ length: styles }, (_, i) => Math.sqrt(variance(raw.map(row => at(row, i)))))
  return raw.map(row => row.map((value, i) => (at(spreads, i) === 0 ? 0 : value / at(spreads, i))))
}

function eloRatings(battles: readonly Battle[], models: number, k: number): number[] {
  const ratings = Array.from({ length: models }, () => 1000)
  for (const { first, second, score } of battles) {
    const { ratingA, ratingB } = eloUpdate(at(ratings, first), at(ratings, second), score, k)
    ratings[first] = ratingA
    ratings[second] = ratingB
  }
  return ratings
}
