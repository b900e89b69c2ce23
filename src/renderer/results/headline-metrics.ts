import type { MetricResult, Results } from '../../contract/runs/results.schemas.ts'

/** The metric that each profile is known by, in the order of the profiles. */
export function headlineMetrics({ metrics, reproducibility }: Results): readonly MetricResult[] {
  return reproducibility.profiles.flatMap(profile => metrics.filter(metric => metric.primary && metric.profile_id === profile.profile_id))
}

/** Primary metrics whose whole interval is below the level of guessing. */
export function belowChance(metrics: readonly MetricResult[]): readonly MetricResult[] {
  return metrics.filter(
    ({ primary, attempts, chance_level: chance, estimate: { interval } }) =>
      primary && attempts === undefined && chance !== null && chance > 0 && interval !== null && interval.high < chance,
  )
}
