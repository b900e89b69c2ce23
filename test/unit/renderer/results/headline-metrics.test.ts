import { describe, expect, test } from 'vitest'
import type { MetricResult, Results } from '../../../../src/contract/runs/results.schemas.ts'
import { headlineMetrics } from '../../../../src/renderer/results/headline-metrics.ts'
import { quoteFixture } from '../quotes/fixtures.ts'

function metric(profile_id: string, id: string, primary: boolean): MetricResult {
  return {
    profile_id,
    metric: id,
    title: id,
    scorer: 's',
    scorer_version: 1,
    primary,
    estimate: { n: 0, mean: null, standard_error: null, interval: null, reason: null, cautions: [] },
    unscored: 0,
    chance_level: null,
    worst_case: null,
    best_case: null,
  }
}

describe('the metrics that a run is known by', () => {
  test('are the primary ones, in the order of the profiles', () => {
    const [profile] = quoteFixture().profiles
    if (!profile) throw new Error('The fixture has a profile.')
    const profiles = [profile, { ...profile, profile_id: 'second' }]
    const metrics = [
      metric('second', 'strict', true),
      metric(profile.profile_id, 'flexible', false),
      metric(profile.profile_id, 'strict', true),
    ]
    // Only what is read of the results.
    const results = { metrics, reproducibility: { profiles } } as unknown as Results
    expect(headlineMetrics(results).map(one => one.profile_id)).toEqual([profile.profile_id, 'second'])
  })
})
