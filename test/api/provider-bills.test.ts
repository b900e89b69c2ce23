import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ConnectionBody } from '../../src/contract/connections/connections.schemas.ts'
import type { Results } from '../../src/contract/runs/results.schemas.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { startScriptedEndpoint, type ScriptedEndpoint } from '../support/scripted-endpoint.ts'
import { profileId, quote, runToEnd } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string
let endpoint: ScriptedEndpoint | null = null

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterEach(async () => {
  await endpoint?.close()
  endpoint = null
})
afterAll(() => service.close())

const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '10000000' }

interface Case {
  readonly rates?: NonNullable<Extract<ConnectionBody, { base_url: string }>['rates']>
  /** Micro-USD. */
  readonly cap?: string
  readonly usage: (call: number) => object | null
}

/** Runs all tasks against an endpoint that answers each with this usage. */
async function runWith({
  rates: stated,
  cap,
  usage,
}: Case): Promise<{ readonly run: Run; readonly results: Results; readonly calls: number }> {
  const { client } = service
  endpoint = await startScriptedEndpoint(usage)
  const { id } = await client.call('createConnection', {
    body: { name: crypto.randomUUID(), base_url: endpoint.baseUrl, model: 'm', ...(stated ? { rates: stated } : {}) },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  endpoint.forget()
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [profile],
    execution: { max_provider_billed_microusd: cap ?? null },
  })
  const { run } = await client.call('submitRun', {
    body: { quote_id: quoteId, name: 'a run' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const ended = await runToEnd(client, service.baseUrl, run.id)
  const results = await client.call('getRunResults', { params: { run_id: run.id } })
  return { run: ended, results, calls: endpoint.calls() }
}

test('reasoning that only the total counts is billed as output, and a limit holds', async () => {
  const usage = () => ({
    prompt_tokens: 32,
    completion_tokens: 9,
    total_tokens: 3041,
    completion_tokens_details: { reasoning_tokens: 3000 },
  })
  const { run, results, calls } = await runWith({ rates, cap: '300000', usage })
  expect(run.stop_reason?.code).toBe('cap_reached')
  expect(results.billing.provider_billed_microusd).toBe(String(calls * (32 + 3009 * 10)))
  expect(calls * (32 + 3009 * 10)).toBeLessThanOrEqual(300_000)
  expect(calls).toBeGreaterThan(1)
})

test('kinds of tokens cost their own rates, and the sum equals the server’s books to the micro-dollar', async () => {
  const own = { ...rates, cached_input_microusd_per_million: '100000', reasoning_microusd_per_million: '333333' }
  const usage = (call: number) => ({
    prompt_tokens: 1000 + call,
    completion_tokens: 50,
    total_tokens: 1050 + call,
    prompt_tokens_details: { cached_tokens: 900 },
    completion_tokens_details: { reasoning_tokens: 7 },
  })
  const { results, calls } = await runWith({ rates: own, usage })
  const exact = Array.from(
    { length: calls },
    (_, call) => BigInt(100 + call) * 1_000_000n + 900n * 100_000n + 43n * 10_000_000n + 7n * 333_333n,
  )
  const books = (exact.reduce((sum, one) => sum + one, 0n) + 999_999n) / 1_000_000n
  expect(results.billing.provider_billed_microusd).toBe(String(books))
})

test('the cost that a provider states is billed, whatever the rates, and where there are none', async () => {
  const usage = () => ({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0000123 })
  const priced = await runWith({ rates, usage })
  expect(priced.results.billing.provider_billed_microusd).toBe(String(Math.ceil((priced.calls * 123) / 10)))
  await endpoint?.close()
  const unpriced = await runWith({ usage })
  expect(unpriced.results.billing.provider_billed_microusd).toBe(String(Math.ceil((unpriced.calls * 123) / 10)))
})

test('usage that cannot be read is noted on attempt and result, costs nothing known, and stays under the limit', async () => {
  const { run, results } = await runWith({ rates, usage: () => ({ prompt_tokens: 'many', completion_tokens: null }) })
  expect(results.notices.map(({ code }) => code)).toContain('usage_unreadable')
  expect(results.billing).toMatchObject({ provider_billed_microusd: '0', possibly_billed_twice: results.coverage.scored })
  const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
  const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
  expect(sample.attempt_log[0]).toMatchObject({ provider_billed_microusd: null, notes: [{ code: 'usage_unreadable' }] })
})
