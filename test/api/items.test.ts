import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { deletions } from '../../src/service/items/deletions.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
let slug: string
let runs: Run[]

beforeAll(async () => {
  service = await startTestService()
  const content = Array.from({ length: 4 }, (_, i) => JSON.stringify({ question: `What is ${i}?`, answer: String(i) })).join('\n')
  slug = await importLines('Old numbers', content)
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

async function importLines(name: string, content: string): Promise<string> {
  return (await importToEnd(service, { fields: { format: 'jsonl', name }, files: [{ name: 'data.jsonl', content }] })).slug ?? ''
}
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
  const reading = await client.call('createApiKey', { body: { name: 'reading', scopes: ['suites:read'] } })
  expect(await clientFor(service.baseUrl, reading.key, service.workspaceId).refusal('deleteItem', { query })).toMatchObject({
    code: 'missing_scope',
    message: expect.stringMatching(/none of the scopes .*suites:write/),
  })
  const { key } = await client.call('createApiKey', { body: { name: 'suites', scopes: ['workspace:read', 'suites:read', 'suites:write'] } })
  const blind = clientFor(service.baseUrl, key, service.workspaceId)
  expect((await blind.call('listItemUses', { query })).items).toEqual([{ kind: 'evaluation', id: evaluation.id, name: evaluation.id }])
  expect((await blind.refusal('deleteItem', { query })).message).not.toContain('Rests on it')
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

test('names the suites that rest on a benchmark', async () => {
  const { client } = service
  const lines = Array.from({ length: 3 }, (_, i) => JSON.stringify({ question: `Which is ${i}?`, answer: String(i) })).join('\n')
  const made = await importLines('Short benchmark', lines)
  const query = { kind: 'benchmark', id: made } as const
  const { profiles } = await client.call('getBenchmark', { params: { slug: made } })
  const task = { source_ref: profiles[0]?.source_ref ?? '', split: 'test' as const }
  const { items: tasks } = await client.call('listTasks', { query: { source_ref: task.source_ref } })
  const suite = await client.call('createSuite', {
    body: { name: 'Over it', task_selections: [{ ...task, task_ids: [tasks[0]?.task_id ?? ''] }] },
  })
  await client.call('createReleaseSuite', {
    body: {
      name: 'Listed',
      groups: [{ key: 'all', title: 'All', weight: 1, selection: { task_selections: [{ ...task, task_ids: [tasks[1]?.task_id ?? ''] }] } }],
    },
  })
  expect((await client.call('listItemUses', { query })).items.map(({ kind, name }) => [kind, name])).toEqual([
    ['suite', 'Over it'],
    ['release_suite', 'Listed'],
  ])
  expect(await client.refusal('deleteItem', { query })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the suite "Over it", the release suite "Listed"'),
  })
  await client.call('deleteItem', { query: { kind: 'suite', id: suite.suite_id } })
  expect(await client.refusal('deleteItem', { query })).toMatchObject({ code: 'conflict' })
})

test('a benchmark without runs is deleted with every version', async () => {
  const { client } = service
  const content = JSON.stringify({ question: 'Which sea is salt?', answer: 'Every sea' })
  const first = await importLines('First seas', content)
  expect((await client.call('listItemUses', { query: { kind: 'benchmark', id: first } })).items).toEqual([])
  await client.call('deleteItem', { query: { kind: 'benchmark', id: first } })
  expect(await client.refusal('getBenchmark', { params: { slug: first } })).toMatchObject({ code: 'not_found' })
  expect(await slugs({ archived: 'any' })).not.toContain(first)
  // The same content gets the number of the one that is gone.
  const second = await importLines('Second seas', content)
  const { profiles } = await client.call('getBenchmark', { params: { slug: second } })
  expect(profiles[0]?.source_ref).toContain(second)
  expect(await client.refusal('deleteItem', { query: { kind: 'benchmark', id: 'arithmetic-word-problems' } })).toMatchObject({
    code: 'not_found',
  })
})

test('an evaluator is deleted with its versions once no other one is made of it', async () => {
  const { client } = service
  const definition = { kind: 'deterministic', scorer: 'assay/exact_match' } as const
  const first = await client.call('createEvaluator', { body: { name: 'Part', definition } })
  const { id, evaluator_id: evaluatorId } = await client.call('createEvaluator', {
    body: { name: 'Part', previous_version_id: first.id, definition: { ...definition, scorer: 'assay/includes' } },
  })
  const whole = await client.call('createEvaluator', {
    body: { name: 'Whole', definition: { kind: 'composite', operation: 'all', parts: [{ evaluator_version_id: id }] } },
  })
  const query = { kind: 'evaluator', id: evaluatorId } as const
  expect((await client.call('listItemUses', { query })).items).toEqual([{ kind: 'evaluator', id: whole.evaluator_id, name: 'Whole' }])
  expect(await client.refusal('deleteItem', { query })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the evaluator "Whole"'),
  })
  await client.call('deleteItem', { query: { kind: 'evaluator', id: whole.evaluator_id } })
  await client.call('deleteItem', { query })
  expect(await client.refusal('getEvaluator', { params: { evaluator_version_id: first.id } })).toMatchObject({ code: 'not_found' })
})

test('an evaluator that a session names is not deleted, in whatever case its id was sent', async () => {
  const { client } = service
  const { id, evaluator_id } = await client.call('createEvaluator', {
    body: { name: 'Named', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
  })
  const session = await client.call('createTuneSession', {
    body: { name: 'Shouted', grader: { evaluator_version_id: id.toUpperCase() } },
  })
  expect(await client.refusal('deleteItem', { query: { kind: 'evaluator', id: evaluator_id } })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(session.name),
  })
})

test('an evaluator that graded a run is not deleted while the run is there', async () => {
  const { client } = service
  const evaluator = await client.call('createEvaluator', {
    body: { name: 'Grader', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
  })
  const [, bundled] = runs
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [bundled?.profiles[0]?.profile_id ?? ''],
    coverage: { mode: 'sample', sample_count: 4, seed: 1 },
    execution: { evaluators: [evaluator.id] },
  })
  const graded = await runToEnd(client, service.baseUrl, (await submit(client, quoteId, 'Graded by it')).id)
  const query = { kind: 'evaluator', id: evaluator.evaluator_id } as const
  expect((await client.call('listItemUses', { query })).items).toContainEqual({ kind: 'run', id: graded.id, name: 'Graded by it' })
  expect(await client.refusal('deleteItem', { query })).toMatchObject({ code: 'conflict' })
})

test('an evaluator that an open quote names is not deleted, in whatever case its id was sent', async () => {
  const { client } = service
  const evaluator = await client.call('createEvaluator', {
    body: { name: 'Quoted', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
  })
  const [, bundled] = runs
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [bundled?.profiles[0]?.profile_id ?? ''],
    coverage: { mode: 'sample', sample_count: 4, seed: 1 },
    execution: { evaluators: [evaluator.id.toUpperCase()] },
  })
  const query = { kind: 'evaluator', id: evaluator.evaluator_id } as const
  expect((await client.call('listItemUses', { query })).items).toEqual([{ kind: 'quote', id: quoteId, name: 'open quote' }])
  expect(await client.refusal('deleteItem', { query })).toMatchObject({ code: 'conflict' })
})

test('a dataset is deleted with its versions and examples until work rests on them', async () => {
  const { client } = service
  const create = async (name: string) => {
    const dataset = await client.call('createDataset', { body: { name, task: 'answer' } })
    const params = { dataset_id: dataset.id }
    const examples = Array.from({ length: 600 }, (_, i) => ({
      input: `${name} ${i}`,
      output: String(i),
      expected: String(i),
      label: 'pass',
    }))
    await client.call('addExamples', { params, body: { examples } })
    const filter = { label: 'pass' }
    await client.call('reviewExamples', { params, body: { decision: 'approve', filter, expected: 600 } })
    return { query: { kind: 'dataset' as const, id: dataset.id }, version: await client.call('createDatasetVersion', { params, body: {} }) }
  }
  const [kept, gone] = [await create('Kept'), await create('Gone')]
  const evaluator = await client.call('createEvaluator', {
    body: { name: 'Same', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {}, target_from: 'expected' } },
  })
  await client.call('createCalibration', { body: { evaluator_version_id: evaluator.id, dataset_version_id: kept.version.id } })
  expect((await client.call('listItemUses', { query: kept.query })).items).toMatchObject([{ kind: 'calibration' }])
  expect(await client.refusal('deleteItem', { query: kept.query })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('the calibration'),
  })
  expect((await client.call('listItemUses', { query: gone.query })).items).toEqual([])
  await client.call('deleteItem', { query: gone.query })
  expect((await client.call('listDatasets', {})).items.map(({ name }) => name)).toEqual(['Kept'])
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const count = (table: string) => db.prepare(`select count(*) from ${table}`).pluck().get()
  const counts = ['dataset_examples', 'dataset_revisions', 'dataset_labels', 'dataset_search', 'dataset_version_examples'].map(count)
  db.close()
  expect(counts).toEqual([600, 600, 600, 600, 600])
  expect((await client.call('getDataset', { params: { dataset_id: kept.query.id } })).counts).toMatchObject({ approved: 600 })
})

test('what rests on an evaluator is found without reading quotes and results', () => {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const steps = db.prepare(`explain query plan ${deletions.evaluator.uses}`).all({ workspace: '', id: '', at: '' })
  db.close()
  const details = JSON.stringify(steps)
  expect(details).toContain('evaluator_uses_version')
  expect(details).not.toMatch(/SCAN (?:q|r|u|x)\b|SEARCH (?:q|r) USING (?:COVERING )?INDEX \w+_workspace/)
})

test('sessions, monitors and decisions are deleted until work rests on them', async () => {
  const { client } = service
  const [, run] = runs
  const session = await client.call('createTuneSession', { body: { name: 'Tried', from_run: { run_id: run?.id ?? '' } } })
  const limits = { max_charge_microusd: '0', max_monthly_microusd: '0' }
  const monitor = await client.call('createTuneMonitor', {
    body: { name: 'Watch', profile_id: run?.profiles[0]?.profile_id ?? '', baseline: { run_id: run?.id ?? '' }, ...limits },
  })
  await client.call('deleteItem', { query: { kind: 'session', id: session.id } })
  expect(await client.refusal('getTuneSession', { params: { session_id: session.id } })).toMatchObject({ code: 'not_found' })
  const { id: policyId } = await client.call('createReleasePolicy', {
    body: { name: 'Ship', rules: [{ kind: 'min_score', key: 'score', threshold: 0.5 }] },
  })
  const selection = {
    task_selections: [{ source_ref: run?.profiles[0]?.source_ref ?? '', split: 'test' as const, task_ids: ['awp-0004'] }],
  }
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'Small', groups: [{ key: 'all', title: 'All', weight: 1, selection }] },
  })
  const plan = (name: string) =>
    client.call('createReleaseDecision', {
      body: {
        name,
        candidate: { label: 'oracle', model: { kind: 'managed', route_id: 'assay/oracle-75' } },
        suite_version_id: suite.id,
        policy_id: policyId,
        max_charge_microusd: '0',
      },
    })
  const draft = await plan('Draft')
  await client.call('deleteItem', { query: { kind: 'decision', id: draft.id } })
  expect(await client.refusal('getReleaseDecision', { params: { decision_id: draft.id } })).toMatchObject({ code: 'not_found' })
  const begun = await plan('Begun')
  await client.call('advanceReleaseDecision', { params: { decision_id: begun.id } })
  await client.call('cancelReleaseDecision', { params: { decision_id: begun.id } })
  const uses = (await client.call('listItemUses', { query: { kind: 'decision', id: begun.id } })).items.map(use => use.kind)
  expect(uses).toEqual(expect.arrayContaining(['release_attempt', 'release_record', 'evaluation']))
  expect(await client.refusal('deleteItem', { query: { kind: 'decision', id: begun.id } })).toMatchObject({ code: 'conflict' })

  const params = { monitor_id: monitor.id }
  await client.call('createTuneMonitorEvent', { params, body: { type: 'manual' } })
  expect(await client.refusal('deleteItem', { query: { kind: 'monitor', id: monitor.id } })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('check of'),
  })
  const unused = await client.call('createTuneMonitor', {
    body: { name: 'Unused', profile_id: run?.profiles[0]?.profile_id ?? '', baseline: { run_id: run?.id ?? '' }, ...limits },
  })
  await client.call('deleteItem', { query: { kind: 'monitor', id: unused.id } })
  expect((await client.call('listTuneMonitors', {})).map(({ name }) => name)).not.toContain('Unused')
})
