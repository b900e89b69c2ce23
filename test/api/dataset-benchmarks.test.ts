import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewExample } from '../../src/contract/datasets/examples.schemas.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let evaluator_version_id: string

beforeAll(async () => {
  service = await startTestService()
  evaluator_version_id = await exact()
})
afterAll(() => service.close())

const exact = async (definition: object = {}) =>
  (
    await service.client.call('createEvaluator', {
      body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {}, ...definition } },
    })
  ).id

async function frozen(examples: NewExample[], name = 'Support') {
  const { client } = service
  const { id: dataset_id } = await client.call('createDataset', { body: { name, task: 'answer' } })
  const { items } = await client.call('addExamples', { params: { dataset_id }, body: { examples } })
  for (const { example_id } of items)
    await client.call('reviewExample', { params: { dataset_id, example_id }, body: { revision: 1, decision: 'approve' } })
  const { id: version_id } = await client.call('createDatasetVersion', { params: { dataset_id }, body: {} })
  return { dataset_id, version_id }
}

const example = (i: number): NewExample => ({ input: `Say ${i}`, output: null, expected: `Say ${i}`, metadata: {} })

test('a dataset version becomes a benchmark that runs, once for each body, and its samples name their examples', async () => {
  const { client, baseUrl } = service
  const params = await frozen([example(1), example(2), { ...example(3), expected: 'nothing' }])
  const body = { name: 'Support answers', evaluator_version_id, system_prompt: 'Repeat.' }
  const { key } = await client.call('createApiKey', { body: { name: 'catalog only', scopes: ['catalog:read', 'catalog:write'] } })
  const blind = clientFor(baseUrl, key, service.workspaceId)
  expect((await blind.refusal('createDatasetBenchmark', { params, body })).message).toContain('datasets:read')
  const made = await client.call('createDatasetBenchmark', { params, body })
  expect(made).toMatchObject({ slug: 'support-answers', title: 'Support answers', dataset_version_id: params.version_id })
  expect(await client.call('createDatasetBenchmark', { params, body })).toEqual(made)
  const other = await client.call('createDatasetBenchmark', { params, body: { ...body, system_prompt: 'Repeat exactly.' } })
  expect(other.slug).toBe(made.slug)
  expect(other.source_ref).not.toBe(made.source_ref)
  const { items } = await client.call('listDatasetBenchmarks', { params })
  expect(items.map(({ source_ref }) => source_ref).sort()).toEqual([made.source_ref, other.source_ref].sort())

  const { id } = await quote(client, { model: { kind: 'managed', route_id: 'assay/echo' }, profiles: [made.profile_id] })
  const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
  const results = await client.call('getRunResults', { params: { run_id: run.id } })
  expect(results.metrics[0]).toMatchObject({ title: 'Exact', estimate: { n: 3 } })
  expect(results.metrics[0]?.estimate.mean).toBeCloseTo(2 / 3, 12)
  const { items: samples } = await client.call('listSamples', { params: { run_id: run.id } })
  const detail = await client.call('getSample', { params: { run_id: run.id, sample_id: samples[0]?.id ?? '' } })
  expect(detail.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(detail.example).toEqual({
    dataset_id: params.dataset_id,
    dataset_version_id: params.version_id,
    example_id: detail.task_id,
    revision: 1,
    origin: { kind: 'manual', ref: null },
  })
})

test('a scorer that runs code makes a benchmark like any other', async () => {
  const params = await frozen([{ ...example(1), input: 'def one():' }], 'Programs')
  const code = await exact({ scorer: 'evalplus/plus' })
  const { profile_id } = await service.client.call('createDatasetBenchmark', {
    params,
    body: { name: 'One program', evaluator_version_id: code },
  })
  const { compatibility, profiles } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/echo' },
    profiles: [profile_id],
  })
  expect(profiles[0]?.metrics).toMatchObject([{ scorer: 'evalplus/plus', primary: true }])
  expect(compatibility.checks.length).toBeGreaterThan(0)
})

test('a sample of another benchmark has no example', async () => {
  const { client, baseUrl } = service
  const { profiles } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/echo' },
    profiles: [profiles[0]?.id ?? ''],
    coverage: { mode: 'sample', sample_count: 1, seed: 1 },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
  const { items } = await client.call('listSamples', { params: { run_id: run.id } })
  expect((await client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })).example).toBeNull()
})

test('refuses names of other benchmarks, fields and targets that examples lack, and pairs; takes a composite as the main metric', async () => {
  const { client } = service
  const params = await frozen([example(1)], 'Refused')
  const refusal = (body: object, at = params) =>
    client.refusal('createDatasetBenchmark', { params: at, body: { name: 'Refusals', evaluator_version_id, ...body } })
  expect(await refusal({ name: 'GSM8K' })).toMatchObject({ status: 422, detail: [{ loc: ['body', 'name'] }] })
  await client.call('createDatasetBenchmark', {
    params: await frozen([example(9)], 'Owner'),
    body: { name: 'Owned', evaluator_version_id },
  })
  expect(await refusal({ name: 'Owned' })).toMatchObject({ status: 422, detail: [{ loc: ['body', 'name'] }] })
  expect((await refusal({ prompt_template: '{question}' })).detail[0]?.loc).toEqual(['body', 'prompt_template'])
  const byTopic = await exact({ target_from: { metadata: 'topic' } })
  expect((await refusal({ evaluator_version_id: byTopic })).detail[0]?.loc).toEqual(['body', 'evaluator_version_id'])
  const composite = await client.call('createEvaluator', {
    body: { name: 'All', definition: { kind: 'composite', operation: 'all', parts: [{ evaluator_version_id }] } },
  })
  const composed = await frozen([example(2)], 'Composite')
  const made = await client.call('createDatasetBenchmark', {
    params: composed,
    body: { name: 'By a composite', evaluator_version_id: composite.id },
  })
  expect(made.evaluator_version_id).toBe(composite.id)
  const pairs = await client.call('createDataset', { body: { name: 'Pairs', task: 'pairwise' } })
  const { items } = await client.call('addExamples', {
    params: { dataset_id: pairs.id },
    body: { examples: [{ input: 'x', output: { a: '1', b: '2' } }] },
  })
  await client.call('reviewExample', {
    params: { dataset_id: pairs.id, example_id: items[0]?.example_id ?? '' },
    body: { revision: 1, decision: 'approve' },
  })
  const version = await client.call('createDatasetVersion', { params: { dataset_id: pairs.id }, body: {} })
  expect(await refusal({}, { dataset_id: pairs.id, version_id: version.id })).toMatchObject({ code: 'conflict' })
})
