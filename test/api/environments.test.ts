import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SampleDetail } from '../../src/contract/runs/samples.schemas.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const oracle = { kind: 'managed', route_id: 'assay/oracle-100' } as const
const families = ['grid-puzzle', 'customer-desk', 'file-workspace', 'text-to-sql']

async function detailsOf(runId: string): Promise<SampleDetail[]> {
  const { items } = await service.client.call('listSamples', { params: { run_id: runId }, query: { limit: 100 } })
  return Promise.all(items.map(({ id }) => service.client.call('getSample', { params: { run_id: runId, sample_id: id } })))
}

describe('the list', () => {
  test('holds the four families, apart from the benchmarks', async () => {
    const { items, next_cursor } = await service.client.call('listEnvironments', { query: {} })
    expect(items.map(({ family }) => family)).toEqual(families)
    expect(next_cursor).toBeNull()
    for (const item of items) expect(item.quote_availability).toEqual({ status: 'ready_for_quote', reasons: [] })
    const benchmarks = await service.client.call('listBenchmarks', { query: { limit: 100 } })
    expect(benchmarks.items.filter(({ slug }) => families.includes(slug))).toEqual([])
  })

  test('is paged by the id last seen', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await service.client.call('listEnvironments', { query: { limit: 3, ...(cursor ? { cursor } : {}) } })
      seen.push(...page.items.map(({ family }) => family))
      expect(page.next_cursor).toBe(page.items.length === 3 ? page.items.at(-1)?.id : null)
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(families)
    const refused = await service.client.refusal('listEnvironments', { query: { cursor: 'three' } })
    expect(refused).toMatchObject({ status: 422, code: 'validation_error' })
  })
})

test('a family says what it is, with its tools and two profiles', async () => {
  const { client } = service
  const desk = await client.call('getEnvironment', { params: { family: 'customer-desk' } })
  expect(desk.tools.find(({ name }) => name === 'decline_request')?.parameters.at(-1)?.values).toEqual([
    'not_delivered',
    'too_late',
    'already_sent',
  ])
  expect(desk.profiles.map(({ title, requires }) => [title, requires])).toEqual([
    ['Tools by text', ['chat']],
    ['Native tool calls', ['chat', 'tools']],
  ])
  const tasks = await client.call('listTasks', { query: { source_ref: desk.latest_version.source_ref, limit: 1000 } })
  expect(tasks.total).toBe(desk.latest_version.task_counts['test'])
  expect(JSON.stringify(tasks.items)).not.toMatch(/refund_order|reference/)
  expect(await client.refusal('getEnvironment', { params: { family: 'arithmetic-word-problems' } })).toMatchObject({ status: 404 })
})

test('exact tasks of several environments run as one evaluation, and the reference reaches every goal', async () => {
  const { client, baseUrl } = service
  const { items } = await client.call('listEnvironments', { query: {} })
  const task_selections = await Promise.all(
    items.map(async ({ latest_version: { source_ref } }) => {
      const tasks = await client.call('listTasks', { query: { source_ref, limit: 3 } })
      return { source_ref, split: 'test' as const, task_ids: tasks.items.map(({ task_id }) => task_id) }
    }),
  )
  const { run_id } = await client.call('createEvaluation', {
    body: { name: 'worlds', model: oracle, max_charge_microusd: '0', task_selections },
  })
  expect(await runToEnd(client, baseUrl, run_id)).toMatchObject({ status: 'complete', progress: { frozen: 12, scored: 12 } })
  const samples = await detailsOf(run_id)
  expect(samples.map(({ scores }) => scores[0]?.value)).toEqual(samples.map(() => 1))
  for (const { episode, output, messages } of samples) {
    expect(episode?.messages.slice(0, 2).map(({ role }) => role)).toEqual(['system', 'user'])
    expect(episode?.messages[1]?.content).toBe(messages[1]?.content)
    expect(episode?.messages.length).toBeGreaterThan(4)
    expect(JSON.parse(output ?? '')).toMatchObject({ turns: episode?.turns, state: episode?.state })
  }
})

test('a quote counts a call for each turn, and native tools need a model that has them', async () => {
  const { client } = service
  const desk = await client.call('getEnvironment', { params: { family: 'customer-desk' } })
  const [text = '', native = ''] = desk.profile_ids
  const quoted = await quote(client, { model: oracle, profiles: [text] })
  expect(quoted.counts.model_calls).toBe(quoted.counts.samples * desk.max_turns)
  const { compatibility } = await quote(client, { model: oracle, profiles: [native] })
  expect(compatibility.status).toBe('incompatible')
  expect(compatibility.checks.find(({ status }) => status === 'fail')?.detail).toContain('has no native tool calls')
})

test('blind acting is at chance, and a question of a benchmark has no episode', async () => {
  const { client, baseUrl } = service
  const { profile_ids } = await client.call('getEnvironment', { params: { family: 'grid-puzzle' } })
  const random = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/random' },
    profiles: profile_ids.slice(0, 1),
    coverage: { mode: 'sample', sample_count: 60, seed: 1 },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, random.id)).id)
  const [first] = await detailsOf(run.id)
  expect(first?.episode?.ended).toMatch(/answered|turn_limit/)
  const results = await client.call('getRunResults', { params: { run_id: run.id } })
  expect(results.metrics[0]?.estimate.mean).toBeLessThan(0.05)
  const plain = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const other = await quote(client, { model: oracle, profiles: plain.profile_ids.slice(0, 1) })
  const [sample] = await detailsOf((await runToEnd(client, baseUrl, (await submit(client, other.id)).id)).id)
  expect(sample).toMatchObject({ episode: null, passed: true })
})
