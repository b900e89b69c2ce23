import type { MetricResult, Results } from '../../../../contract/runs/results.schemas.ts'

/** Title of a profile, or its id where the results hold no such profile. */
export function profileTitle(results: Results, profileId: string): string {
  return results.reproducibility.profiles.find(profile => profile.profile_id === profileId)?.title ?? profileId
}

/** Title of a profile's metric, or its id where the results hold no such metric. */
export function metricTitle(results: Results, profileId: string, metric: string): string {
  return results.metrics.find(one => one.profile_id === profileId && one.metric === metric)?.title ?? metric
}

export function primaryMetrics(results: Results): MetricResult[] {
  return results.metrics.filter(metric => metric.primary)
}
