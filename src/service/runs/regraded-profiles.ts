import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import { type ApiError, invalidField } from '../../contract/errors.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { Regrade } from '../../contract/runs/runs.schemas.ts'
import { aggregatedBy } from '../../engine/grading/scorers/aggregate-counts.ts'
import { ScorerConfigError } from '../../engine/grading/scorers/config-error.ts'
import { preparedVersion, scorerTitle } from '../../engine/grading/scorers/scorer-version.ts'
import { isBinaryScorer } from '../../engine/grading/scorers/value-kind.ts'
import type { ScorerProblem } from '../../workers/score-pool.ts'

/**
 * Tries the options of each scorer of a regrade once, but for those that graded the last result under the same version of the scorer. Those
 * that graded it under another may be late, since the machine may be busy.
 * @param last profiles of the run's last result
 * @throws ApiError validation_error naming the first metric whose options are refused
 */
export async function requirePrepared(
  last: readonly FrozenProfile[],
  wish: Regrade,
  problemOf: (spec: Pick<Metric, 'scorer' | 'options'>) => Promise<ScorerProblem | null>,
): Promise<void> {
  const graded = last.flatMap(({ metrics }) => metrics)
  const known = new Set(graded.map(metric => keyOf(metric)))
  const prepared = new Set(graded.map(metric => keyOf(metric, metric.scorer_version)))
  for (const { profile_id, metrics } of regradedProfiles(last, wish))
    for (const metric of metrics) {
      const key = keyOf(metric, metric.scorer_version)
      if (metric.evaluator || prepared.has(key)) continue
      const problem = await problemOf({ scorer: metric.scorer, options: metric.options })
      if (problem && !(problem.isLate && known.has(keyOf(metric)))) throw invalidMetric(wish, profile_id, metric.id, problem.message)
      prepared.add(key)
    }
}

const keyOf = ({ scorer, options }: Pick<Metric, 'scorer' | 'options'>, version?: number): string =>
  JSON.stringify([scorer, options, version])

/** The profiles with the metrics changed as wished, each by the current version of its scorer. */
export function regradedProfiles(profiles: readonly FrozenProfile[], wish: Regrade): FrozenProfile[] {
  const { metrics: changes = [] } = wish
  for (const [i, { profile_id, metric }] of changes.entries()) {
    const profile = profiles.find(candidate => candidate.profile_id === profile_id)
    if (!profile) throw invalidField(['body', 'metrics', i, 'profile_id'], `the run has no profile ${JSON.stringify(profile_id)}`)
    if (!profile.metrics.some(({ id }) => id === metric)) {
      const known = profile.metrics.map(({ id }) => id).join(', ')
      throw invalidField(['body', 'metrics', i, 'metric'], `the profile has no metric ${JSON.stringify(metric)}; it has ${known}`)
    }
  }
  return profiles.map(profile => ({
    ...profile,
    metrics: profile.metrics.map(metric => {
      if (metric.evaluator) return metric
      const { scorer = metric.scorer, options = metric.options } = changes[placeOf(changes, profile.profile_id, metric.id)] ?? {}
      try {
        const isOther = scorer !== metric.scorer || JSON.stringify(options) !== JSON.stringify(metric.options)
        const { aggregation: _, ...rest } = metric
        return {
          ...(isOther ? rest : metric),
          // Under other rules it is another figure, which the old words would misname.
          ...(isOther && { title: scorerTitle(scorer), binary: isBinaryScorer({ scorer, options }), ...aggregatedBy(scorer) }),
          scorer,
          options,
          scorer_version: preparedVersion({ scorer }),
        }
      } catch (error) {
        if (error instanceof ScorerConfigError) throw invalidMetric(wish, profile.profile_id, metric.id, error.message)
        throw error
      }
    }),
  }))
}

/** Where the last change of a metric is; -1 where it stays as it was. */
function placeOf(changes: NonNullable<Regrade['metrics']>, profileId: string, metric: string): number {
  return changes.findLastIndex(change => change.profile_id === profileId && change.metric === metric)
}

/** At the change of the metric, or named where it stays as it was. */
function invalidMetric({ metrics = [] }: Regrade, profileId: string, metric: string, problem: string): ApiError {
  const place = placeOf(metrics, profileId, metric)
  if (place >= 0) return invalidField(['body', 'metrics', place], problem)
  return invalidField(['body', 'metrics'], `${metric} of ${profileId}: ${problem}`)
}
