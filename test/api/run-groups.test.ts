import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunGroup, RunGroupQuoteRequest } from '../../src/contract/run-groups/run-groups.schemas.ts'
import { shareLimit } from '../../src/service/run-groups/share-limit.ts'
import { connectJudge, saveJudge, startJudge } from '../support/judging.ts'
import { allot } from '../support/priced-quote.ts'
import { profileId, runToEnd } from '../support/runs.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { pricedModel, type PricedModel } from '../support/tuning.ts'

let service: TestService
let slow: PricedModel
let request: Omit<RunGroupQuoteRequest, 'models' | 'execution'>

const managed = (name: string) => ({ kind: 'managed', route_id: `assay/${name}` }) as const

beforeAll(async () => {
  service = await startTestService()
  slow = await pricedModel(service.client, 'Slow', () => '#### 13', 1_000_000, { concurrency: 2 })
  await allot(service, '1000000')
  request = {
    selection: { profile_ids: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')] },
    coverage: { mode: 'sample', sample_count: 20, seed: 1 },
    max_charge_microusd: '0',
  }
})
afterAll(async () => {
  await service.close()
  await slow.server.close()
})

const quoted = (names: readonly string[]) => service.client.call('quoteRunGroup', { body: { ...request, models: names.map(managed) } })

async function started(names: readonly string[], name = 'Group'): Promise<RunGroup> {
  const { quotes } = await quoted(names)
  return service.client.call('createRunGroup', { body: { name, quote_ids: quotes.map(({ id }) => id), max_charge_microusd: '0' } })
}

async function ended(group: RunGroup): Promise<RunGroup> {
  for (const { run } of group.runs) await runToEnd(service.client, service.baseUrl, run.id)
  return service.client.call('getRunGroup', { params: { run_group_id: group.id } })
}

describe('a quote of several models', () => {
  test('is of the same tasks for each, in their order, with the sum of their calls', async () => {
    const { quotes, model_calls, compatible } = await quoted(['oracle-75', 'oracle-25'])
    expect(quotes.map(({ model }) => model.route_id)).toEqual(['assay/oracle-75', 'assay/oracle-25'])
    expect(new Set(quotes.map(({ coverage }) => coverage.task_digest)).size).toBe(1)
    expect({ model_calls, compatible }).toEqual({ model_calls: 40, compatible: true })
  })

  test('names the model that is unknown by its place', async () => {
    const refused = await service.client.refusal('quoteRunGroup', { body: { ...request, models: [managed('echo'), managed('nothing')] } })
    expect(refused.detail[0]?.loc).toEqual(['body', 'models', 1, 'route_id'])
  })
})

describe('a group of runs', () => {
  test('ends with a score of each model and one comparison, however often it is requested', async () => {
    const { client } = service
    const group = await ended(await started(['oracle-25', 'oracle-100']))
    expect(group.ended).toBe(true)
    expect(group.runs.map(({ scores }) => scores[0]?.n)).toEqual([20, 20])
    expect(group.runs[1]?.scores[0]).toMatchObject({ mean: 1, interval: { level: 0.95 } })
    const params = { run_group_id: group.id }
    const comparison = await client.call('compareRunGroup', { params })
    expect(comparison.runs.map(({ run_id, baseline }) => [run_id, baseline])).toEqual([
      [group.runs[0]?.run.id, true],
      [group.runs[1]?.run.id, false],
    ])
    expect(await client.call('compareRunGroup', { params })).toEqual(comparison)
    const twin = { run_group_id: (await ended(await started(['oracle-50', 'oracle-75']))).id }
    const together = await Promise.all([1, 2, 3].map(() => client.call('compareRunGroup', { params: twin })))
    expect(new Set(together.map(({ id }) => id)).size).toBe(1)
    expect((await client.call('getRunGroup', { params })).comparison_id).toBe(comparison.id)
    const [one] = (await client.call('listRunGroups', { query: { run_id: group.runs[1]?.run.id } })).items
    expect(one).toMatchObject({ id: group.id, run_ids: group.runs.map(({ run }) => run.id) })
  })

  test('is compared again once a run has a newer result, without deleted runs', async () => {
    const { client } = service
    const group = await ended(await started(['oracle-25', 'oracle-50', 'oracle-75']))
    const params = { run_group_id: group.id }
    const [first, second, third] = group.runs.map(({ run }) => run.id)
    const before = await client.call('compareRunGroup', { params })
    await client.call('deleteRun', { params: { run_id: second ?? '' } })
    expect(await client.call('getRunGroup', { params })).toMatchObject({ comparison_id: null })
    const after = await client.call('compareRunGroup', { params })
    expect(after.id).not.toBe(before.id)
    expect(after.runs.map(({ run_id }) => run_id)).toEqual([first, third])
  })

  test('starts no run where one of its quotes is refused', async () => {
    const { client } = service
    const { quotes } = await quoted(['oracle-75'])
    const connection = await client.call('createConnection', {
      body: { name: 'Unchecked', base_url: 'http://127.0.0.1:29998/v1', model: 'm' },
    })
    const unfit = await client.call('quoteRunGroup', {
      body: { ...request, models: [{ kind: 'connection', connection_id: connection.id }] },
    })
    expect(unfit.compatible).toBe(false)
    const runs = async () => (await client.call('listRuns', { query: { limit: 100 } })).items.length
    const before = await runs()
    const quote_ids = [...quotes, ...unfit.quotes].map(({ id }) => id)
    const refused = await client.refusal('createRunGroup', { body: { name: 'None', quote_ids, max_charge_microusd: '0' } })
    expect(refused.code).toBe('quote_incompatible')
    expect(await runs()).toBe(before)
    const twice = await client.refusal('createRunGroup', {
      body: { name: 'Twice', quote_ids: [quote_ids[0] ?? '', quote_ids[0] ?? ''], max_charge_microusd: '0' },
    })
    expect(twice.detail[0]?.loc).toEqual(['body', 'quote_ids', 1])
  })

  test('shares the provider limit among its connections, and is cancelled as a whole', async () => {
    const { client } = service
    const connection = { kind: 'connection', connection_id: slow.id } as const
    const { quotes } = await client.call('quoteRunGroup', { body: { ...request, models: [managed('oracle-75'), connection] } })
    const body = {
      name: 'Limited',
      quote_ids: quotes.map(({ id }) => id),
      max_charge_microusd: '0',
      max_provider_billed_microusd: '700000',
    }
    const group = await client.call('createRunGroup', { body })
    expect(group.runs.map(({ run }) => run.accounting.max_provider_billed_microusd)).toEqual([null, '700000'])
    expect(group).toMatchObject({ max_provider_billed_microusd: '700000', max_charge_microusd: '0', comparison_id: null })
    const params = { run_group_id: group.id }
    const done = await ended(await client.call('cancelRunGroup', { params }).catch(() => group))
    expect(done.ended).toBe(true)
    expect((await client.refusal('cancelRunGroup', { params })).code).toBe('illegal_transition')
  })
})

test('a limit on what providers bill is that of judges of managed models, too, and each quote keeps its own without one', async () => {
  const { client } = service
  const judge = await startJudge(() => 'VERDICT: pass')
  const evaluator = await saveJudge(client, await connectJudge(client, judge, { priced: true }))
  const models = [managed('oracle-75'), managed('oracle-50')]
  const execution = { evaluators: [evaluator.id] }
  const start = async (more: object, limits: object) => {
    const { quotes } = await client.call('quoteRunGroup', { body: { ...request, models, execution: { ...execution, ...more } } })
    const body = { name: 'Judged', quote_ids: quotes.map(({ id }) => id), max_charge_microusd: '0', ...limits }
    return client.call('createRunGroup', { body })
  }
  const limitsOf = (group: RunGroup) => group.runs.map(({ run }) => run.accounting.max_provider_billed_microusd)
  const none = await start({}, { max_provider_billed_microusd: '0' })
  expect(limitsOf(none)).toEqual(['0', '0'])
  expect((await ended(none)).provider_billed_microusd).toBe('0')
  expect(judge.asked).toEqual([])
  expect(limitsOf(await start({}, { max_provider_billed_microusd: '1000' }))).toEqual(['500', '500'])
  const kept = await start({ max_provider_billed_microusd: '300' }, {})
  expect(limitsOf(kept)).toEqual(['300', '300'])
  await ended(kept)
  await judge.close()
})

test('a limit is shared in proportion to the bounds and never exceeded', () => {
  expect(shareLimit(100n, [30n, 10n, 0n])).toEqual([75n, 25n, 0n])
  expect(shareLimit(100n, [1n, 1n, 1n])).toEqual([33n, 33n, 33n])
  expect(shareLimit(100n, [30n, null])).toEqual([50n, 50n])
  expect(shareLimit(100n, [0n, 0n])).toEqual([0n, 0n])
})
