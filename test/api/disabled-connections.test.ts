import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTerminal } from '../../src/contract/machine.ts'
import { tuneOccurrenceMachine } from '../../src/contract/tuning/monitor.machine.ts'
import { type DatabaseWatch, watchDatabase } from '../support/database-watch.ts'
import { allot } from '../support/priced-quote.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel } from '../support/tuning.ts'

let service: TestService
let paid: PricedModel
let ready: {
  readonly quoteId: string
  readonly monitorId: string
  readonly decisionId: string
  readonly sessionId: string
  readonly tuneQuoteId: string
}
let calls: number
let database: DatabaseWatch

const key = () => ({ 'idempotency-key': crypto.randomUUID() })
/** Each was prepared while the connection was active. */
beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  await allot(service, '50000000')
  paid = await pricedModel(client, 'Gone', () => '#### 13', 1_000_000)
  const model = { kind: 'connection', connection_id: paid.id } as const
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const terms = { model, profiles: [profile], coverage: { mode: 'sample', sample_count: 3, seed: 1 } } as const
  const run = await runToEnd(client, service.baseUrl, (await submit(client, (await quote(client, terms)).id)).id)
  const { id: quoteId } = await quote(client, terms)
  const { id: monitorId } = await client.call('createTuneMonitor', {
    body: { name: 'Watch', profile_id: profile, baseline: { run_id: run.id }, max_charge_microusd: '0', max_monthly_microusd: '10000000' },
  })
  const { latest_version: version } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const tasks = { source_ref: version?.source_ref ?? '', split: 'test' as const, task_ids: ['awp-0001', 'awp-0002'] }
  const suite = await client.call('createReleaseSuite', {
    body: { name: 'Math', groups: [{ key: 'main', title: 'main', weight: 1, critical: false, selection: { task_selections: [tasks] } }] },
  })
  const policy = await client.call('createReleasePolicy', {
    body: { name: 'Ship', rules: [{ kind: 'min_score', key: 'score', threshold: 0.5 }] },
  })
  const { id: decisionId } = await client.call('createReleaseDecision', {
    body: {
      name: 'Release',
      candidate: { label: 'gone', model },
      suite_version_id: suite.id,
      policy_id: policy.id,
      max_charge_microusd: '0',
    },
  })
  const { call, ...draft } = newSession(60)
  const { id: sessionId } = await client.call('createTuneSession', { body: { ...draft, ...(call && { call: { ...call, model } }) } })
  await client.call('approveTuneSession', { params: { session_id: sessionId }, body: { revision: 1 } })
  const prompt = { system_prompt: null, prompt_template: '{input}' }
  const { id: tuneQuoteId } = await client.call('createTuneQuote', {
    params: { session_id: sessionId },
    body: { candidates: [{ label: 'short', model, effort: null, prompt }], mode: 'full', max_charge_microusd: '10000000' },
  })
  ready = { quoteId, monitorId, decisionId, sessionId, tuneQuoteId }
  await client.call('disableConnection', { params: { connection_id: paid.id } })
  calls = paid.server.requests()
  database = watchDatabase(service.dataDir)
})
afterAll(async () => {
  database.close()
  await service.close()
  await paid.server.close()
})

const said = expect.stringMatching(/"Gone".*disabled/)

/** What is refused is stored nowhere and calls nothing. */
async function refused<T>(ask: () => Promise<T>): Promise<T> {
  const before = database.now()
  const refusal = await ask()
  expect(database.now(), 'the database after the refusal').toEqual(before)
  expect(paid.server.requests()).toBe(calls)
  return refusal
}

test('a run group of quotes from before is refused', async () => {
  const body = { name: 'group', quote_ids: [ready.quoteId], max_charge_microusd: '0', max_provider_billed_microusd: '1000000' }
  expect(await refused(() => service.client.refusal('createRunGroup', { body, headers: key() }))).toMatchObject({ message: said })
})

test('a decision from before starts nothing', async () => {
  const request = { params: { decision_id: ready.decisionId } }
  expect(await refused(() => service.client.refusal('advanceReleaseDecision', request))).toMatchObject({ message: said })
})

test('an event of a monitor from before fails with the reason', async () => {
  const params = { monitor_id: ready.monitorId }
  const { occurrence_id: id } = await service.client.call('createTuneMonitorEvent', { params, body: { type: 'manual' } })
  const find = async () => (await service.client.call('listTuneOccurrences', { params, query: { limit: 10 } })).find(one => one.id === id)
  await expect.poll(async () => isTerminal(tuneOccurrenceMachine, (await find())?.status ?? 'accepted')).toBe(true)
  expect(await find()).toMatchObject({ status: 'failed', failure: { message: said }, run_id: null })
  expect(paid.server.requests()).toBe(calls)
})

test('a quoted group of a tuning session from before is refused', async () => {
  const request = { params: { session_id: ready.sessionId }, body: { quote_id: ready.tuneQuoteId }, headers: key() }
  expect(await refused(() => service.client.refusal('startTuneGroup', request))).toMatchObject({ message: said })
})
