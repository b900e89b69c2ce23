import { expect, it } from 'vitest'
import type { LeaderboardEntry } from '../../../../src/contract/index.ts'
import { coverageMark, fieldsOf } from '../../../../src/renderer/leaderboard/standings.ts'

function entry(model: string, coverage: string): LeaderboardEntry {
  return {
    run_id: model,
    run_name: model,
    model,
    model_title: model,
    is_model: true,
    profile_id: 'words@1:zero-shot',
    slug: 'words',
    title: 'Zero-shot',
    metric: 'Correct',
    estimate: { n: 1, mean: 1, standard_error: null, interval: null, reason: null, cautions: [] },
    chance_level: null,
    unscored: 0,
    tasks: 1,
    tasks_available: 1,
    coverage,
    finished_at: null,
  }
}

const marks = (...coverages: string[]) => {
  const entries = coverages.map((coverage, i) => entry(`${i}`, coverage))
  const usual = fieldsOf(entries)[0]?.usual ?? null
  return entries.map(({ coverage }) => coverageMark(coverage, usual))
}

it('marks scores over other tasks than a true majority of their column', () => {
  expect(marks('all', 'all', 'some')).toEqual([null, null, 'Other tasks'])
})

it('marks every score where no tasks have a majority', () => {
  expect(marks('all', 'all', 'some', 'few')).toEqual(Array(4).fill('Tasks differ'))
  expect(marks('all', 'some')).toEqual(['Tasks differ', 'Tasks differ'])
})
