import { profileName } from '../../../../lib/format/benchmark-names.ts'
import type { MetricResult, Results } from '../../../../contract/runs/results.schemas.ts'

/** Benchmark and profile, or its id where the results hold no such profile. */
export function profileTitle(results: Results, profileId: string): string {
  const profile = results.reproducibility.profiles.find(({ profile_id }) => profile_id === profileId)
  return profile ? profileName(profile) : profileId
}

/** Title of a profile's metric, or its id where the results hold no such metric. */
export function metricTitle(results: Results, profileId: string, metric: string): string {
  return results.metrics.find(one => one.profile_id === profileId && one.metric === metric)?.title ?? metric
}

export function primaryMetrics(results: Results): MetricResult[] {
  return results.metrics.filter(metric => metric.primary)
}
