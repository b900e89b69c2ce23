import { describe, expect, test } from 'vitest'
import type { Run, RunEvent } from '../../../../src/contract/runs/runs.schemas.ts'
import { scoreCurves, throughput } from '../../../../src/renderer/runs/score-curve.ts'
import { quoteFixture } from '../quotes/fixtures.ts'

type ScoresEvent = Extract<RunEvent, { type: 'scores' }>

const { profiles, coverage } = quoteFixture()
// Only what the curves read of a run.
const run = { profiles, coverage: { ...coverage, epochs: 1 } } as Run

function scores(second: number, n: number, mean: number | null): ScoresEvent {
  const [profile_id] = ['words@1:zero-shot']
  return {
    type: 'scores',
    at: new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString(),
    profiles: [
      { profile_id, metric: 'strict', n, mean },
      { profile_id, metric: 'flexible', n: n + 1, mean: 1 },
    ],
  }
}

describe('the score of a run as samples arrive', () => {
  test('is the one of the primary metric', () => {
    expect(scoreCurves(run, [scores(0, 1, 1), scores(1, 4, 0.5)])).toEqual([
      {
        label: 'words · Zero-shot',
        band: true,
        points: [
          { n: 1, mean: 1 },
          { n: 4, mean: 0.5 },
        ],
      },
    ])
  })

  test('does not go back when a stream begins again with the present state', () => {
    const [curve] = scoreCurves(run, [scores(0, 4, 0.5), scores(1, 4, 0.5), scores(2, 6, 0.5), scores(3, 5, null)])
    expect(curve?.points.map(({ n }) => n)).toEqual([4, 6])
  })

  test('has no Wilson band where a task comes more than once', () => {
    expect(scoreCurves({ ...run, coverage: { ...coverage, epochs: 2 } }, [])).toMatchObject([{ band: false }])
  })

  test('names the benchmark of each profile', () => {
    const twice = profiles.flatMap(profile => [profile, { ...profile, slug: 'sums', profile_id: 'sums@1:zero-shot' }])
    expect(scoreCurves({ ...run, profiles: twice }, []).map(({ label }) => label)).toEqual(['words · Zero-shot', 'sums · Zero-shot'])
  })
})

describe('throughput', () => {
  test('counts a sample once, however many metrics scored it', () => {
    expect(throughput([scores(0, 0, null), scores(2, 10, 0.5), scores(3, 10, 0.5)])).toEqual([5, 0])
  })

  test('is empty before there are two moments, and skips moments without time between them', () => {
    expect(throughput([scores(0, 1, 1)])).toEqual([])
    expect(throughput([scores(0, 1, 1), scores(0, 2, 1)])).toEqual([])
  })
})
