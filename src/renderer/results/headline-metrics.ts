import type { MetricResult, Results } from '../../contract/runs/results.schemas.ts'

/** The metric that each profile is known by, in the order of the profiles. */
export function headlineMetrics({ metrics, reproducibility }: Results): readonly MetricResult[] {
  return reproducibility.profiles.flatMap(profile => metrics.filter(metric => metric.primary && metric.profile_id === profile.profile_id))
}
