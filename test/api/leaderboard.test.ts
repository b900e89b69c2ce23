import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

async function runOf(route: string, tasks: number, seed = 1): Promise<Run> {
  const { id } = await quote(service.client, {
    model: { kind: 'managed', route_id: route },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: tasks, seed },
  })
  return runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
}

const board = async () => (await service.client.call('getLeaderboard', {})).entries

test('the leaderboard has the most complete result of each model, with n, interval and what it covers', async () => {
  expect(await board()).toEqual([])
  await runOf('assay/oracle-75', 10)
  const newest = await runOf('assay/oracle-75', 20)
  await runOf('assay/oracle-75', 5)
  const alike = await runOf('assay/oracle-50', 20)
  const unlike = await runOf('assay/oracle-90', 20, 2)
  const entries = await board()
  expect(entries.map(entry => entry.run_id).toSorted()).toEqual([newest.id, alike.id, unlike.id].toSorted())
  expect(entries.map(({ estimate, tasks, tasks_available }) => [estimate.n, tasks, tasks_available])).toEqual(Array(3).fill([20, 20, 270]))
  expect(entries.every(({ estimate }) => estimate.interval !== null)).toBe(true)
  const basisOf = (run: Run) => entries.find(entry => entry.run_id === run.id)?.basis
  expect(basisOf(alike)).toEqual(basisOf(newest))
  expect(basisOf(unlike)).not.toEqual(basisOf(newest))

  await service.client.call('changeRun', { params: { run_id: newest.id }, body: { archived: true } })
  expect((await board()).some(entry => entry.run_id === newest.id)).toBe(false)
})

test('shows every score of a model on a profile, the oldest run first, and none of archived runs', async () => {
  const [entry] = (await board()).filter(({ model }) => model.includes('75'))
  const { series } = await service.client.call('getScoreHistory', { query: { model: entry?.model ?? '', profile_id: profile } })
  const points = series.flatMap(one => one.points.map(({ run_id, estimate }) => ({ run_id, estimate, basis: one.basis })))
  expect(points.map(({ estimate }) => estimate.n)).toEqual([10, 5])
  expect(points[0]).toEqual({ run_id: entry?.run_id, estimate: entry?.estimate, basis: entry?.basis })
  expect(series.every(({ model }) => model === entry?.model)).toBe(true)
})

test('lists runs by score, by model and by benchmark, page by page', async () => {
  const every = async (query: object) => {
    const found: Run[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await service.client.call('listRuns', { query: { archived: 'any', limit: 2, ...query, ...(cursor ? { cursor } : {}) } })
      found.push(...page.items)
      if (page.next_cursor === null) return found
      cursor = page.next_cursor
    }
  }
  const quoted = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles: [profile] })
  const cancelled = await submit(service.client, quoted.id)
  await service.client.call('cancelRun', { params: { run_id: cancelled.id } }).catch(() => undefined)
  const scoreOf = async ({ id, result_version }: Run): Promise<number | null> => {
    if (result_version === null) return null
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: id } })
    return metrics.find(({ primary }) => primary)?.estimate.mean ?? null
  }
  await runToEnd(service.client, service.baseUrl, cancelled.id)
  const all = await every({})
  const best = await every({ sort: '-score' })
  expect(best.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
  const scores = await Promise.all(best.map(scoreOf))
  const known = scores.filter(score => score !== null)
  expect(scores.slice(0, known.length)).toEqual(known.toSorted((a, b) => b - a))
  expect((await every({ sort: 'created' })).map(({ id }) => id)).toEqual(all.map(({ id }) => id).toReversed())
  const model = all[0]?.model.model
  expect((await every({ model })).map(({ id }) => id)).toEqual(all.filter(run => run.model.model === model).map(({ id }) => id))
  expect(await every({ benchmark: 'arithmetic-word-problems' })).toHaveLength(all.length)
  expect(await every({ benchmark: 'arithmetic' })).toEqual([])
})

test('a quote shows one prompt of each profile, as the run then sends it', async () => {
  const { id } = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/oracle-75' }, profiles: [profile] })
  const { items } = await service.client.call('getQuoteExamples', { params: { quote_id: id } })
  const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
  const [first] = (await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })).items
  const sent = await service.client.call('getSample', { params: { run_id: run.id, sample_id: first?.id ?? '' } })
  expect(items).toEqual([{ profile_id: profile, task_id: sent.task_id, messages: sent.messages }])
})
