import { expect, test } from 'vitest'
import type { LeaderboardEntry } from '../../../../src/contract/runs/leaderboard.schemas.ts'
import { basisMark, fieldsOf, likeScores, standingsOf } from '../../../../src/renderer/leaderboard/standings.ts'

type Basis = LeaderboardEntry['basis']

function entry(model: string, basis: Basis): LeaderboardEntry {
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
    not_run: 0,
    tasks: 1,
    tasks_available: 1,
    basis,
    finished_at: null,
  }
}

const basis = (changes: Partial<Basis>): Basis => ({ tasks: 'all', prompt: 'usual', scorer: 'exact 1', ...changes })

const marks = (...changes: Partial<Basis>[]) => {
  const entries = changes.map((change, i) => entry(`${i}`, basis(change)))
  const [field] = fieldsOf(entries)
  if (!field) throw new Error('No column.')
  return entries.map(one => basisMark(one.basis, field.usual))
}

test('marks scores over other tasks than a true majority of their column', () => {
  expect(marks({}, {}, { tasks: 'some' })).toEqual([null, null, 'Other tasks'])
})

test('marks every score where no tasks have a majority', () => {
  expect(marks({}, {}, { tasks: 'some' }, { tasks: 'few' })).toEqual(Array(4).fill('Tasks differ'))
  expect(marks({}, { tasks: 'some' })).toEqual(['Tasks differ', 'Tasks differ'])
})

test('names what differs where the tasks are the same', () => {
  expect(marks({}, { prompt: 'own' })).toEqual(['Prompts differ', 'Prompts differ'])
  expect(marks({}, {}, { prompt: 'own' })).toEqual([null, null, 'Other prompt'])
  expect(marks({}, {}, { scorer: 'exact 2' })).toEqual([null, null, 'Other scorer'])
})

test('a score under changed settings is marked, ranked apart, and in no cell that has one of the profile’s own', () => {
  expect(marks({}, {}, { settings: 'temperature 0.7' })).toEqual([null, null, 'Other settings'])
  const own = { ...entry('m', basis({})), run_id: 'own' }
  const changed = { ...entry('m', basis({ settings: 'temperature 0.7' })), run_id: 'newer', changed: ['temperature 0.7'] }
  expect(likeScores([changed, own])).toHaveLength(2)
  expect(standingsOf([changed, own], undefined)[0]?.entries.get(own.profile_id)?.run_id).toBe('own')
  expect(standingsOf([changed], undefined)[0]?.entries.get(own.profile_id)?.run_id).toBe('newer')
})

test('ranks models only with those of the same tasks, prompt and scorer, and no baseline among them', () => {
  const usual = basis({})
  const weak = { ...entry('weak', usual), estimate: { ...entry('weak', usual).estimate, mean: 0.4 } }
  const random = { ...entry('random', usual), is_model: false }
  const elsewhere = entry('elsewhere', basis({ tasks: 'others' }))
  const [first, second, ...none] = likeScores([weak, random, elsewhere, entry('strong', usual)])
  expect(first?.models.map(({ model }) => model)).toEqual(['strong', 'weak'])
  expect(first?.baselines.map(({ model }) => model)).toEqual(['random'])
  expect(second?.models.map(({ model }) => model)).toEqual(['elsewhere'])
  expect(none).toEqual([])
  expect(standingsOf([random, weak], weak.profile_id).map(({ model }) => model)).toEqual(['weak', 'random'])
})

test('scores of a column have one form: with both ends where any is lopsided', () => {
  const of = (model: string, mean: number, low: number, high: number) => {
    const one = entry(model, basis({}))
    return { ...one, estimate: { ...one.estimate, n: 10, mean, interval: { low, high, level: 0.95, method: 'wilson' } } }
  }
  const even = of('even', 0.5, 0.237, 0.763)
  const form = (...entries: LeaderboardEntry[]) => fieldsOf(entries).map(({ withEnds }) => withEnds)
  expect(form(even)).toEqual([false])
  expect(form(even, of('lopsided', 0.8, 0.49, 0.943))).toEqual([true])
})
