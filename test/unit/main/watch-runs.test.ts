import { describe, expect, test, vi } from 'vitest'
import type { Run } from '../../../src/contract/runs/runs.schemas.ts'
import { titleOf } from '../../../src/main/show-work.ts'
import { createRunWatch, type RunNews, type Work } from '../../../src/main/watch-runs.ts'
import { runFixture } from '../renderer/runs/fixtures.ts'

vi.mock('electron', () => import('./strict-electron.ts'))

const down = {
  code: 'endpoint_down',
  waits_for: 'model',
  message: 'It refuses connections.',
  since: null,
  gives_up_at: null,
  next_attempt_at: null,
} as const

function watching(looks: readonly (readonly Run[])[], ended: (id: string) => Run) {
  const show = vi.fn<(work: Work) => void>()
  const tell = vi.fn<(news: RunNews) => void>()
  let place = 0
  const look = createRunWatch({ unfinished: async () => looks[place++] ?? [], run: async id => ended(id), show, tell })
  return { look, show, tell }
}

const running = (more: Partial<Run> = {}, completed = 25): Run => {
  const run = runFixture({ status: 'running', ...more })
  return { ...run, progress: { ...run.progress, frozen: 100, completed } }
}

describe('the watch of runs', () => {
  test('shows the share of all that works, and nothing when nothing does', async () => {
    const { look, show } = watching([[running(), running({ id: '01900000-0000-7000-8000-0000000000b2' }, 75)], []], () =>
      running({ status: 'cancelled' }),
    )
    expect(await look()).toBe(2_000)
    expect(await look()).toBe(10_000)
    expect(show.mock.calls.map(([work]) => work)).toEqual([
      { runs: 2, share: 0.5, paused: false },
      { runs: 0, share: null, paused: false },
    ])
  })

  test.each([
    ['complete', 'Run complete'],
    ['partial', 'Run ended with unscored samples'],
    ['failed', 'Run failed'],
    ['cancelled', null],
  ] as const)('tells of a run that ended %s: %s', async (status, title) => {
    const { look, tell } = watching([[running()], []], () => running({ status }))
    await look()
    await look()
    expect(tell.mock.calls.map(([news]) => news.title)).toEqual(title === null ? [] : [title])
  })

  test('tells once that a run needs a person', async () => {
    const { look, tell } = watching([[running()], [running({ pause: down })], [running({ pause: down })]], () => running())
    await look()
    await look()
    await look()
    expect(tell.mock.calls.map(([{ title, body }]) => [title, body])).toEqual([
      ['Run paused', expect.stringContaining('It refuses connections.')],
    ])
  })
})

test.each([
  [{ runs: 0, share: null, paused: false }, 'Runs · Assay'],
  [{ runs: 1, share: 0.625, paused: false }, '62 % · Runs · Assay'],
  [{ runs: 3, share: 0.5, paused: false }, '50 % of 3 runs · Runs · Assay'],
  [{ runs: 1, share: 0.5, paused: true }, 'Paused · Runs · Assay'],
])('the title of a window with %j is %s', (work, title) => {
  expect(titleOf('Runs · Assay', work)).toBe(title)
})
