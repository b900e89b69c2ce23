import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostTags } from '../../src/contract/annotations/annotations.schemas.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let runs: Run[]

beforeAll(async () => {
  service = await startTestService()
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const started = async (route: string) => {
    const { id } = await quote(service.client, {
      model: { kind: 'managed', route_id: route },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    })
    return runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
  }
  runs = []
  for (const route of ['assay/oracle-75', 'assay/oracle-75', 'assay/oracle-50']) runs.push(await started(route))
})
afterAll(() => service.close())

type Body = NonNullable<Parameters<typeof service.client.call<'changeRuns'>>[1]>['body']
const change = (body: NonNullable<Body>) => service.client.call('changeRuns', { body })
const refusal = (body: object) => service.client.refusal('changeRuns', { body: body as never })
const listed = async (query: object) => (await service.client.call('listRuns', { query })).items.map(run => run.id).toSorted()
const idsOf = (...places: number[]) => places.map(place => runs[place]?.id ?? '').toSorted()

test('archives, tags and moves everything that a filter matches in one request', async () => {
  const model = (await service.client.call('getLeaderboard', {})).entries.find(entry => entry.model_title.includes('75'))?.model ?? ''
  const matching = { model }
  expect(await change({ filter: matching, dry_run: true })).toEqual({ matched: 2, changed: 2, refused: [], refused_count: 0 })
  const tagged = await change({ filter: matching, expected: 2, add_tags: ['trial'], folder: 'May' })
  expect(tagged).toMatchObject({ matched: 2, changed: 2, refused_count: 0 })
  expect(await listed({ tag: 'trial' })).toEqual(idsOf(0, 1))
  expect(await listed({ folder: 'May' })).toEqual(idsOf(0, 1))
  await change({ filter: { tag: 'trial' }, expected: 2, archived: true })
  expect(await listed({})).toEqual(idsOf(2))
  await change({ filter: { archived: 'true' }, expected: 2, archived: false, remove_tags: ['trial'], folder: null })
  expect(await listed({})).toEqual(idsOf(0, 1, 2))
  expect(await listed({ tag: 'trial' })).toEqual([])
})

test('refuses a filter that matches another number of runs than was seen, unknown runs and no change', async () => {
  expect(await refusal({ filter: {}, expected: 2, archived: true })).toMatchObject({
    code: 'conflict',
    message: 'The filter matches 3 runs now, not 2. Look at the list again.',
  })
  expect(await listed({})).toEqual(idsOf(0, 1, 2))
  expect(await refusal({ filter: {}, archived: true })).toMatchObject({ code: 'validation_error' })
  expect(await refusal({ run_ids: idsOf(0) })).toMatchObject({ code: 'validation_error' })
  expect(await refusal({ run_ids: idsOf(0), delete: true, archived: true })).toMatchObject({ code: 'validation_error' })
  expect(await refusal({ run_ids: [...idsOf(0), crypto.randomUUID()], archived: true })).toMatchObject({ code: 'not_found' })
  expect(await listed({})).toEqual(idsOf(0, 1, 2))
})

test('names the runs that would have too many tags and tags the others', async () => {
  const many = Array.from({ length: mostTags }, (_, index) => `tag ${index}`)
  await change({ run_ids: idsOf(0), add_tags: many })
  const outcome = await change({ filter: {}, expected: 3, add_tags: ['one more'] })
  expect(outcome).toMatchObject({ matched: 3, changed: 2, refused_count: 1 })
  expect(outcome.refused).toEqual([
    { run_id: idsOf(0)[0], name: runs[0]?.name, code: 'conflict', message: expect.stringContaining(`at most ${mostTags} tags`) },
  ])
  expect(await listed({ tag: 'one more' })).toEqual(idsOf(1, 2))
})

test('lists pinned baselines first and alone, until they are unpinned', async () => {
  const [, second] = runs
  const id = second?.id ?? ''
  const pinned = await service.client.call('changeRun', { params: { run_id: id }, body: { pinned: true } })
  expect(pinned.pinned_at).not.toBeNull()
  const { items } = await service.client.call('listRuns', { query: { sort: '-pinned', has_result: 'true' } })
  expect(items.map(run => run.id)).toEqual([id, runs[2]?.id, runs[0]?.id])
  expect(await listed({ pinned: 'true' })).toEqual([id])
  expect(await listed({ has_result: 'false' })).toEqual([])
  await service.client.call('changeRun', { params: { run_id: id }, body: { pinned: false } })
  expect(await listed({ pinned: 'true' })).toEqual([])
})

test('deletes what nothing rests on and names the rest, as deleting one run does', async () => {
  const { client } = service
  const { profiles } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const suite = await client.call('createSuite', {
    body: { name: 'Kept', task_selections: [{ source_ref: profiles[0]?.source_ref ?? '', split: 'test', task_ids: ['awp-0001'] }] },
  })
  const { run_id: kept } = await client.call('createEvaluation', {
    body: {
      name: 'Kept',
      model: { kind: 'managed', route_id: 'assay/first-option' },
      suite_version_id: suite.id,
      max_charge_microusd: '0',
    },
  })
  await runToEnd(client, service.baseUrl, kept)
  const preview = await change({ filter: {}, dry_run: true, delete: true })
  expect(preview).toMatchObject({ matched: 4, changed: 3, refused_count: 1 })
  expect(await listed({})).toHaveLength(4)
  const alone = await client.refusal('deleteRun', { params: { run_id: kept } })
  const outcome = await change({ filter: {}, expected: 4, delete: true })
  expect(outcome).toMatchObject({ matched: 4, changed: 3, refused: [{ run_id: kept, code: 'conflict', message: alone.message }] })
  expect(await listed({ archived: 'any' })).toEqual([kept])
})
