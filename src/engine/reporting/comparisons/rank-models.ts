import type { ModelRanking, NewRanking } from '../../../contract/comparisons/rankings.schemas.ts'
import { at } from '../../statistics/sample.ts'
import { type Battle, rankBattles } from '../../statistics/rank-battles.ts'

export type RankingOutcome =
  | { readonly kind: 'ranked'; readonly ranking: Omit<ModelRanking, 'sources'> }
  | { readonly kind: 'refused'; readonly reason: string }

/** Below this number of battles, a percentile interval of a model is mostly too short. */
const fewBattles = 20

/** Bradley-Terry looks at every pair of models. */
const mostModels = 1_000

/** Ratings of the models of a list of battles, or why there are none. */
export function rankModels(question: NewRanking): RankingOutcome {
  const { style_control: hasStyle, method, k, resamples, seed, level } = question
  // One name may be written in two ways that look the same.
  const battles = question.battles.map(one => ({ ...one, model_a: one.model_a.normalize(), model_b: one.model_b.normalize() }))
  const itself = battles.find(({ model_a: a, model_b: b }) => a === b)
  if (itself) return refused(`A battle is of "${itself.model_a}" with itself, in two spellings that look the same.`)
  const models = [...new Set(battles.flatMap(({ model_a: a, model_b: b }) => [a, b]))]
  if (models.length > mostModels) return refused(`The battles are of ${models.length} models; at most ${mostModels} are ranked together.`)
  const place = new Map(models.map((model, i) => [model, i]))
  const styles = hasStyle ? Object.keys(battles[0]?.style ?? {}) : []
  if (hasStyle && styles.length === 0) return refused('Style control needs "style" in every battle.')
  const incomplete = battles.findIndex(({ style = {} }) => styles.some(name => !style[name]))
  if (incomplete >= 0) return refused(`Battle ${incomplete + 1} lacks a style of the first one (${styles.join(', ')}).`)
  const played = battles.flatMap(({ model_a: a, model_b: b, winner, style = {}, times = 1 }) => {
    const battle: Battle = {
      first: place.get(a) ?? 0,
      second: place.get(b) ?? 0,
      score: winner === 'tie' ? 0.5 : winner === 'model_a' ? 1 : 0,
      style: styles.flatMap(name => (style[name] ? [style[name]] : [])),
    }
    return times === 1 ? battle : Array.from({ length: times }, () => battle)
  })
  const ranking = rankBattles(played, models.length, { method, k, resamples, seed, level })
  if (ranking.models === null) return refused(ranking.reason)
  const records = recordsOf(played, models.length)
  const few = models.filter((_, i) => at(records, i).battles < fewBattles)
  const { styleWeights } = ranking
  return {
    kind: 'ranked',
    ranking: {
      models: ranking.models
        .map(({ rating, interval, rank }, i) => ({
          model: at(models, i),
          rating,
          interval: interval && ([interval[0], interval[1]] satisfies [number, number]),
          rank,
          ...at(records, i),
        }))
        .toSorted((a, b) => b.rating - a.rating),
      style_weights: styles.map((style, i) => ({ style, log_odds: at(styleWeights, i) })),
      battles: played.length,
      resamples: ranking.resamples,
      cautions: [
        ...(few.length > 0 ? [`Fewer than ${fewBattles} battles, so the interval may be too short: ${few.slice(0, 5).join(', ')}.`] : []),
        ...(ranking.resamples < resamples
          ? [`${resamples - ranking.resamples} of ${resamples} bootstrap samples had no finite ratings and are not part of the intervals.`]
          : []),
        ...(method === 'elo' ? ['Elo depends on the order of the battles; Bradley-Terry does not.'] : []),
      ],
    },
  }
}

function refused(reason: string): RankingOutcome {
  return { kind: 'refused', reason }
}

type GameRecord = Pick<ModelRanking['models'][number], 'battles' | 'wins' | 'ties' | 'losses'>

function recordsOf(battles: readonly Battle[], models: number): GameRecord[] {
  const records = Array.from({ length: models }, () => ({ battles: 0, wins: 0, ties: 0, losses: 0 }))
  for (const { first, second, score } of battles) {
    for (const [model, own] of [
      [first, score],
      [second, 1 - score],
    ] as const) {
      const record = at(records, model)
      record.battles++
      if (own === 1) record.wins++
      else if (own === 0) record.losses++
      else record.ties++
    }
  }
  return records
}
