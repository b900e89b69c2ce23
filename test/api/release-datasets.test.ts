import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectJudge, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { advanceFully } from '../support/releases.ts'
import { quote } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let versionId: string
let datasetId: string
let evaluatorId: string

beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  const dataset = await client.call('createDataset', { body: { name: 'Support', task: 'answer' } })
  const params = { dataset_id: dataset.id }
  const examples = Array.from({ length: 30 }, (_, i) => ({
    input: `Say ${i}`,
    output: 'x',
    expected: `Say ${i}`,
    metadata: { area: i < 20 ? 'Safety & law' : 'Style' },
  }))
  const { items } = await client.call('addExamples', { params, body: { examples } })
  for (const { example_id } of items)
    await client.call('reviewExample', { params: { ...params, example_id }, body: { revision: 1, decision: 'approve' } })
  versionId = (await client.call('createDatasetVersion', { params, body: {} })).id
  datasetId = dataset.id
  const evaluator = await service.client.call('createEvaluator', {
    body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {} } },
  })
  evaluatorId = evaluator.id
})
afterAll(() => service.close())

const params = () => ({ dataset_id: datasetId, version_id: versionId })

test('a dataset version becomes a private benchmark and a suite, once for each body', async () => {
  const { client } = service
  const body = {
    name: 'Support answers',
    evaluator_version_id: evaluatorId,
    prompt_template: 'Answer: {input}',
    group_by: 'area',
    critical_values: ['Safety & law'],
  }
  const { suite, benchmark } = await client.call('createDatasetSuite', { params: params(), body })
  expect(suite.groups.map(({ title, critical, tasks, weight }) => [title, critical, tasks, weight])).toEqual([
    ['Safety & law', true, 20, 20],
    ['Style', false, 10, 10],
  ])
  expect(await client.call('createDatasetSuite', { params: params(), body })).toEqual({ suite, benchmark })
  const listed = await client.call('getBenchmark', { params: { slug: benchmark.slug } })
  expect(listed.latest_version?.source_ref).toBe(benchmark.source_ref)
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'Ship', rules: [{ kind: 'min_score', key: 'score', threshold: 0.9 }], human: { required: false } },
  })
  const { id } = await client.call('createReleaseDecision', {
    body: {
      name: 'Support',
      candidate: { label: 'echo', model: { kind: 'managed', route_id: 'assay/echo' } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  expect(await advanceFully(service, id)).toMatchObject({ status: 'rejected', rules: [{ n: 30 }] })
})

test('refuses fields, groups and critical values that the examples do not have', async () => {
  const refusal = (body: object) =>
    service.client.refusal('createDatasetSuite', { params: params(), body: { name: 'x', evaluator_version_id: evaluatorId, ...body } })
  expect((await refusal({ prompt_template: '{question}' })).detail[0]?.loc).toEqual(['body', 'prompt_template'])
  expect((await refusal({ group_by: 'team' })).detail[0]?.loc).toEqual(['body', 'group_by'])
  expect((await refusal({ group_by: 'area', critical_values: ['Law'] })).detail[0]?.loc).toEqual(['body', 'critical_values'])
  expect((await refusal({ critical_values: ['Law'] })).detail[0]?.loc).toEqual(['body', 'critical_values'])
})

test.each([
  ['empty', ''],
  ['blank', '  '],
  ['too long', 'x'.repeat(201)],
  ['with a line break', 'a\nb'],
])('refuses metadata that is %s as a group, which no reader of the suite could parse', async (_, area) => {
  const { client } = service
  const dataset = await client.call('createDataset', { body: { name: 'Unfit', task: 'answer' } })
  const of = { dataset_id: dataset.id }
  const { items } = await client.call('addExamples', {
    params: of,
    body: { examples: [{ input: 'a', expected: 'b', metadata: { area } }] },
  })
  for (const { example_id } of items)
    await client.call('reviewExample', { params: { ...of, example_id }, body: { revision: 1, decision: 'approve' } })
  const version = await client.call('createDatasetVersion', { params: of, body: {} })
  const body = { name: 'x', evaluator_version_id: evaluatorId, group_by: 'area' }
  const refused = await client.refusal('createDatasetSuite', { params: { ...of, version_id: version.id }, body })
  expect(refused).toMatchObject({ status: 422, detail: [{ loc: ['body', 'group_by'] }] })
})

test('a judge gives the main metric of a dataset suite, is priced, and its score decides', async () => {
  const { client } = service
  const judge = await startJudge(chat => `VERDICT: ${/[02468]$/.test(materialOf(chat)[1] ?? '') ? 'pass' : 'fail'}`)
  onTestFinished(() => judge.close())
  const connection = await connectJudge(client, judge)
  const { id: evaluator_version_id } = await saveJudge(client, connection)
  const body = { name: 'Judged answers', evaluator_version_id }
  const { suite, benchmark } = await client.call('createDatasetSuite', { params: params(), body })
  expect(await client.call('createDatasetSuite', { params: params(), body })).toEqual({ suite, benchmark })
  const profile = (await client.call('getBenchmark', { params: { slug: benchmark.slug } })).profiles.find(
    ({ id }) => id === benchmark.profile_id,
  )
  expect(profile?.quote_availability.status).toBe('ready_for_quote')
  expect(profile?.metrics).toMatchObject([{ title: 'A judge', scorer: 'assay/evaluator', primary: true }])
  const quoted = await quote(client, { model: { kind: 'managed', route_id: 'assay/echo' }, profiles: [benchmark.profile_id] })
  expect(quoted.counts.judge_calls).toBe(30)
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'Judged', rules: [{ kind: 'min_score', key: 'score', threshold: 0.9 }], human: { required: false } },
  })
  const { id } = await client.call('createReleaseDecision', {
    body: {
      name: 'Judged',
      candidate: { label: 'echo', model: { kind: 'managed', route_id: 'assay/echo' } },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  const decided = await advanceFully(service, id)
  expect(decided).toMatchObject({ status: 'rejected', rules: [{ n: 30, estimate: 0.5, statistic: { method: 'clopper_pearson' } }] })
  const pairwise = await saveJudge(client, connection, { mode: 'pairwise', menu: [], swap: true })
  const refused = await client.refusal('createDatasetSuite', { params: params(), body: { ...body, evaluator_version_id: pairwise.id } })
  expect(refused.detail[0]?.loc).toEqual(['body', 'evaluator_version_id'])
})
