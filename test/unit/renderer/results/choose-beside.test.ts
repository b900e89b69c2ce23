import { describe, expect, it } from 'vitest'
import { type BesideRun, chooseBeside } from '../../../../src/renderer/results/choose-beside.ts'
import { quoteFixture } from '../quotes/fixtures.ts'

const quote = quoteFixture()
const [profile] = quote.profiles
if (!profile) throw new Error('The fixture has a profile.')

interface Given {
  readonly baseline?: string
  readonly tasks?: number
  readonly status?: BesideRun['status']
  readonly mode?: 'exact'
}

function run(id: string, { baseline, tasks = 200, status = 'complete', mode }: Given = {}): BesideRun {
  return {
    id,
    status,
    result_version: 1,
    model: { ...quote.model, title: baseline ?? 'Model', is_model: baseline === undefined },
    profiles: [{ ...profile, tasks_selected: tasks, tasks_available: 270 } as NonNullable<typeof profile>],
    coverage: { ...quote.coverage, mode: mode ?? 'sample', sample_count: tasks, seed: 1, task_digest: id.repeat(64).slice(0, 64) },
  }
}

function beside(here: BesideRun, others: readonly BesideRun[]) {
  const runs = [here, ...others].toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const { id: run_id, coverage, model, profiles } = here
  const chosen = chooseBeside(runs, { run_id, coverage, reproducibility: { model, profiles } }, profile?.profile_id ?? '')
  return chosen.map(one => `${one.role} ${one.run.id}${one.sameTasks ? '' : ', other tasks'}`)
}

describe('the scores beside a run', () => {
  it('are of runs over the same tasks, however new others are', () => {
    const others = [
      run('a', { baseline: 'Oracle 75' }),
      run('b'),
      run('c', { tasks: 30 }),
      run('e', { baseline: 'Oracle 90', tasks: 30, mode: 'exact' }),
    ]
    expect(beside(run('d'), others)).toEqual(['previous b', 'baseline a'])
  })

  it('do not change when more runs come', () => {
    const before = [run('a', { baseline: 'Oracle 75' }), run('b', { baseline: 'Oracle 50' })]
    const later = [run('d', { baseline: 'Oracle 90' }), run('e', { baseline: 'Random' }), run('f')]
    expect(beside(run('c'), before)).toEqual(['baseline b'])
    expect(beside(run('c'), [...before, ...later])).toEqual(['baseline b'])
  })

  it('are of the first baseline after the run where none was before it, and keep it', () => {
    const later = [run('b', { baseline: 'Oracle 75' }), run('c', { baseline: 'Oracle 90' })]
    expect(beside(run('a'), later)).toEqual(['baseline b'])
  })

  it('are of complete runs before partial ones', () => {
    expect(beside(run('c'), [run('a', { baseline: 'Oracle 75' }), run('b', { baseline: 'Oracle 50', status: 'partial' })])).toEqual([
      'baseline a',
    ])
  })

  it('say so where no run is over the same tasks', () => {
    expect(beside(run('b'), [run('a', { baseline: 'Oracle 75', tasks: 30 })])).toEqual(['baseline a, other tasks'])
  })

  it('are never of another run of the same baseline', () => {
    expect(beside(run('b', { baseline: 'Oracle 75' }), [run('a', { baseline: 'Oracle 75' })])).toEqual([])
  })
})
