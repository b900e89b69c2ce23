import { describe, expect, test } from 'vitest'
import type { MetricResult, Results } from '../../../../src/contract/runs/results.schemas.ts'
import { belowChance, headlineMetrics } from '../../../../src/renderer/results/headline-metrics.ts'
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

test('a primary metric is below chance where its whole interval is', () => {
  const scored = (high: number, changes: Partial<MetricResult> = {}): MetricResult => {
    const interval = { low: 0.1, high, level: 0.95, method: 'wilson' as const }
    const result = metric('first', 'strict', true)
    return { ...result, chance_level: 0.25, ...changes, estimate: { ...result.estimate, n: 200, mean: 0.15, interval } }
  }
  expect(belowChance([scored(0.24)])).toHaveLength(1)
  const others = [scored(0.26), scored(0.24, { primary: false }), scored(0.24, { chance_level: null }), scored(0.24, { chance_level: 0 })]
  expect(belowChance([...others, metric('first', 'strict', true)])).toEqual([])
})
