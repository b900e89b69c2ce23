import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importEnd, upload } from './imports-upload.ts'

let service: TestService
let slug: string
let runs: Run[]

beforeAll(async () => {
  service = await startTestService()
  const content = Array.from({ length: 4 }, (_, i) => JSON.stringify({ question: `What is ${i}?`, answer: String(i) })).join('\n')
  const reply = await upload(service, { fields: { format: 'jsonl', name: 'Old numbers' }, files: [{ name: 'data.jsonl', content }] })
  const { id } = (await reply.json()) as { id: string } // imports.test.ts checks the shape
  slug = (await importEnd(service, id)).slug ?? ''
  const { profiles } = await service.client.call('getBenchmark', { params: { slug } })
  const own = profiles[0]?.id ?? ''
  const bundled = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  runs = []
  for (const profile of [own, bundled]) {
    const { id: quoteId } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 4, seed: 1 },
    })
    runs.push(await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoteId)).id))
  }
})
afterAll(() => service.close())

const change = (body: Parameters<typeof service.client.call<'changeItems'>>[1]['body']) => service.client.call('changeItems', { body })
const slugs = async (query: object) =>
  (await service.client.call('listBenchmarks', { query: { limit: 100, ...query } })).items.map(benchmark => benchmark.slug)
const ranked = async (archived: boolean) =>
  (await service.client.call('getLeaderboard', { query: { archived } })).entries.map(entry => entry.slug)

test('an archived benchmark leaves catalog, leaderboard and scores over time, and its runs stay', async () => {
  expect(await slugs({})).toContain(slug)
  expect(await ranked(false)).toContain(slug)
  const { items } = await change({ kind: 'benchmark', ids: [slug], archived: true })
  expect(items).toEqual([{ kind: 'benchmark', id: slug, folder: null, archived_at: expect.any(String) }])
  expect(await slugs({})).not.toContain(slug)
  expect(await slugs({ archived: 'true' })).toEqual([slug])
  expect(await slugs({ archived: 'any' })).toEqual(expect.arrayContaining([slug, 'arithmetic-word-problems']))
  expect(await ranked(false)).toEqual(['arithmetic-word-problems'])
  expect(await ranked(true)).toContain(slug)
  const { profiles } = await service.client.call('getScoreHistory', {})
  expect(profiles.map(profile => profile.slug)).toEqual(['arithmetic-word-problems'])
  expect((await service.client.call('listRuns', { query: { benchmark: slug } })).items).toHaveLength(1)
  expect((await service.client.call('getBenchmark', { params: { slug } })).slug).toBe(slug)

  await change({ kind: 'benchmark', ids: [slug], archived: false })
  expect(await slugs({})).toContain(slug)
})

test('a folder exists while something is in it, and narrows the list of its kind', async () => {
  const ids = runs.map(run => run.id)
  await change({ kind: 'run', ids, folder: 'May' })
  await change({ kind: 'run', ids: [ids[0] ?? ''], folder: 'June' })
  await change({ kind: 'benchmark', ids: [slug], folder: 'May' })
  const folders = async (kind: 'run' | 'benchmark') => (await service.client.call('listFolders', { query: { kind } })).items
  expect(await folders('run')).toEqual([
    { folder: 'June', items: 1 },
    { folder: 'May', items: 1 },
  ])
  const listed = await service.client.call('listRuns', { query: { folder: 'May' } })
  expect(listed.items.map(run => run.id)).toEqual([ids[1]])
  expect(await slugs({ folder: 'May' })).toEqual([slug])
  await change({ kind: 'run', ids, folder: null })
  expect(await folders('run')).toEqual([])
  const db = openDatabase(`${service.dataDir}/assay.db`)
  expect(db.prepare('select kind, id from item_marks').all()).toEqual([{ kind: 'benchmark', id: slug }])
  db.close()
})

test('comparisons, suites and evaluators are archived with the lists that leave them out', async () => {
  const { client } = service
  const { profiles } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const suite = await client.call('createSuite', {
    body: { name: 'Old', task_selections: [{ source_ref: profiles[0]?.source_ref ?? '', split: 'test', task_ids: ['awp-0001'] }] },
  })
  const evaluator = await client.call('createEvaluator', {
    body: { name: 'Old', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
  })
  await change({ kind: 'suite', ids: [suite.suite_id], archived: true })
  await change({ kind: 'evaluator', ids: [evaluator.evaluator_id], archived: true })
  expect((await client.call('listSuites', {})).items).toEqual([])
  expect((await client.call('listSuites', { query: { archived: 'true' } })).items.map(({ id }) => id)).toEqual([suite.id])
  expect((await client.call('listEvaluators', {})).items).toEqual([])
  expect((await client.call('listEvaluators', { query: { archived: 'any' } })).items.map(({ id }) => id)).toEqual([evaluator.id])
  for (const operation of ['listComparisons', 'listReleaseDecisions', 'listTuneSessions', 'listTraces'] as const)
    expect((await client.call(operation, { query: { archived: 'true', folder: 'None' } })).items).toEqual([])
  expect(await client.call('listTuneMonitors', { query: { folder: 'None' } })).toEqual([])
  expect((await client.call('listDatasets', { query: { folder: 'None' } })).items).toEqual([])
})

test('refuses unknown items, bundled benchmarks, no change, and to archive what has an operation of its own', async () => {
  const { client } = service
  const refusal = (body: object) => client.refusal('changeItems', { body: body as never })
  const [run] = runs
  const missing = await refusal({ kind: 'run', ids: [run?.id, 'nothing'], folder: 'May' })
  expect(missing).toMatchObject({ code: 'not_found', message: expect.stringContaining('nothing') })
  expect((await client.call('listRuns', { query: { folder: 'May' } })).items).toEqual([])
  expect(await refusal({ kind: 'benchmark', ids: ['arithmetic-word-problems'], archived: true })).toMatchObject({ code: 'not_found' })
  expect(await refusal({ kind: 'run', ids: [run?.id] })).toMatchObject({ code: 'validation_error' })
  expect(await refusal({ kind: 'run', ids: [run?.id], archived: true })).toMatchObject({ code: 'validation_error' })
})

test('lists the runs that a person or a key has started', async () => {
  const { client } = service
  const { items: members } = await client.call('listMembers', {})
  const { items: keys } = await client.call('listApiKeys', {})
  const started = async (by: string) => (await client.call('listRuns', { query: { by } })).items.map(run => run.id)
  const all = (await client.call('listRuns', {})).items.map(run => run.id)
  const found = await Promise.all([...members, ...keys].map(({ id }) => started(id)))
  expect(found.flat().toSorted()).toEqual(all.toSorted())
  expect(await started(crypto.randomUUID())).toEqual([])
})

test('deletes what nothing rests on, and names what does', async () => {
  const { client } = service
  const [run] = runs
  const { profiles } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const tasks = { source_ref: profiles[0]?.source_ref ?? '', split: 'test' as const }
  const selections = [{ ...tasks, task_ids: ['awp-0001'] }]
  const suite = await client.call('createSuite', { body: { name: 'Short-lived', task_selections: selections } })
  const next = await client.call('createSuite', {
    body: { name: 'Short-lived', previous_version_id: suite.id, task_selections: [{ ...tasks, task_ids: ['awp-0002'] }] },
  })
  const query = { kind: 'suite', id: suite.suite_id } as const
  await change({ kind: 'suite', ids: [suite.suite_id], folder: 'Gone' })
  const evaluation = await client.call('createEvaluation', {
    body: {
      name: 'Rests on it',
      model: { kind: 'managed', route_id: 'assay/first-option' },
      suite_version_id: next.id,
      max_charge_microusd: '0',
    },
  })
  await runToEnd(client, service.baseUrl, evaluation.run_id)
  expect((await client.call('listItemUses', { query })).items).toMatchObject([{ kind: 'evaluation', name: 'Rests on it' }])
  expect(await client.refusal('deleteItem', { query })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the evaluation "Rests on it"'),
  })
  const other = await client.call('createSuite', { body: { name: 'Unused', task_selections: selections } })
  await client.call('deleteItem', { query: { kind: 'suite', id: other.suite_id } })
  expect(await client.refusal('getSuite', { params: { suite_version_id: other.id } })).toMatchObject({ code: 'not_found' })

  const again = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [run?.profiles[0]?.profile_id ?? ''],
  })
  const second = await runToEnd(client, service.baseUrl, (await submit(client, again.id)).id)
  const comparison = await client.call('createComparison', {
    body: { name: 'Unused', run_ids: [run?.id ?? '', second.id], baseline_id: run?.id ?? '' },
  })
  await client.call('deleteItem', { query: { kind: 'comparison', id: comparison.id } })
  expect((await client.call('listComparisons', { query: { archived: 'any' } })).items).toEqual([])
  expect(await client.refusal('deleteItem', { query: { kind: 'comparison', id: comparison.id } })).toMatchObject({ code: 'not_found' })
})

test('a suite that a release took its tasks from is not deleted, and a deleted run leaves its folder', async () => {
  const { client } = service
  const { profiles } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const suite = await client.call('createSuite', {
    body: { name: 'Given', task_selections: [{ source_ref: profiles[0]?.source_ref ?? '', split: 'test', task_ids: ['awp-0003'] }] },
  })
  const release = await client.call('createReleaseSuite', {
    body: { name: 'Release', groups: [{ key: 'all', title: 'All', weight: 1, selection: { suite_version_id: suite.id } }] },
  })
  const query = { kind: 'suite', id: suite.suite_id } as const
  expect((await client.call('listItemUses', { query })).items).toEqual([{ kind: 'release_suite', id: release.id, name: 'Release' }])
  expect(await client.refusal('deleteItem', { query })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('release suite'),
  })

  const [run] = runs
  const id = run?.id ?? ''
  await change({ kind: 'run', ids: [id], folder: 'Ghosts' })
  await client.call('deleteRun', { params: { run_id: id } })
  expect((await client.call('listFolders', { query: { kind: 'run' } })).items).toEqual([])
})
