import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../src/contract/billing/billing.schemas.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { allot, oneEach, type PricedRoute, pricedQuote, pricedRoute } from '../support/priced-quote.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'
import { startModelServer } from '../journeys/model-server/server.ts'

let service: TestService
let priced: PricedRoute

beforeAll(async () => {
  service = await startTestService()
  priced = await pricedRoute(service)
})
afterAll(async () => {
  await priced.models.close()
  await service.close()
})

const runCount = async () => (await service.client.call('listRuns', { query: { limit: 100 } })).items.length
const quoted = (wish: Parameters<typeof pricedQuote>[2] = {}) => pricedQuote(service, priced.routeId, wish)
const ended = async (quoteId: string, name = 'paid'): Promise<Run> =>
  runToEnd(service.client, service.baseUrl, (await submit(service.client, quoteId, name)).id)
const wallet = () => service.client.call('getWallet', {})

async function ledgerOf(runId: string): Promise<LedgerEntry[]> {
  return (await service.client.call('listLedger', { query: { limit: 100 } })).items.filter(entry => entry.run_id === runId)
}

const sum = (entries: readonly LedgerEntry[], kind: LedgerEntry['kind']) =>
  entries.filter(entry => entry.kind === kind).reduce((total, entry) => total + BigInt(entry.moved_microusd), 0n)

describe('a run that costs', () => {
  test('is refused before any work where the wallet has too little', async () => {
    const { id, cost } = await quoted()
    expect(BigInt(cost.upper_bound_microusd)).toBeGreaterThan(0n)
    const asked = priced.models.requests()
    const refuse = () =>
      service.client.refusal('submitRun', { body: { quote_id: id, name: 'poor' }, headers: { 'idempotency-key': 'poor' } })
    expect(await refuse()).toMatchObject({ status: 402, code: 'insufficient_credit' })
    await allot(service, String(BigInt(cost.upper_bound_microusd) - 1n))
    expect(await refuse()).toMatchObject({ status: 402, code: 'insufficient_credit' })
    expect(await runCount()).toBe(0)
    expect(priced.models.requests()).toBe(asked)
    // The same request goes through once there is enough.
    await allot(service, '1')
    const run = await submit(service.client, id, 'poor', 'poor')
    expect(run.accounting.held_microusd).toBe(cost.upper_bound_microusd)
    expect(await runToEnd(service.client, service.baseUrl, run.id)).toMatchObject({ status: 'complete', stop_reason: null })
  })

  test('is charged what its calls used, and the rest of its hold is given back', async () => {
    await allot(service, '5000000')
    const before = await wallet()
    const { id, cost } = await quoted({ samples: 20 })
    const run = await ended(id)
    expect(run).toMatchObject({ status: 'complete', accounting: { state: 'settled', held_microusd: '0', provider_billed_microusd: '0' } })
    const charged = BigInt(run.accounting.charged_microusd)
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
    const tokens = items.reduce((total, sample) => total + (sample.input_tokens ?? 0) + (sample.output_tokens ?? 0), 0)
    expect(charged).toBe(BigInt(tokens))
    expect(charged).toBeGreaterThan(0n)
    expect(charged).toBeLessThan(BigInt(cost.upper_bound_microusd))
    const entries = await ledgerOf(run.id)
    expect(sum(entries, 'hold')).toBe(BigInt(cost.upper_bound_microusd))
    expect(sum(entries, 'charge')).toBe(charged)
    expect(sum(entries, 'release')).toBe(BigInt(cost.upper_bound_microusd) - charged)
    const after = await wallet()
    expect(BigInt(before.available_microusd) - BigInt(after.available_microusd)).toBe(charged)
    expect(after.held_microusd).toBe(before.held_microusd)
  })

  test('is stopped by a cap below its upper bound, says why, and resumes when the cap is raised', async () => {
    const { id, cost } = await quoted({ samples: 10, cap: '1100' })
    expect(BigInt(cost.upper_bound_microusd)).toBeGreaterThan(1100n)
    const run = await ended(id)
    expect(run).toMatchObject({ status: 'partial', stop_reason: { code: 'cap_reached' } })
    expect(run.stop_reason?.message).toMatch(
      /^Spending limit reached: the next call could cost \$0\.\d+ and \$0\.\d+ is left\. Raise the limit/,
    )
    expect(BigInt(run.accounting.charged_microusd)).toBeLessThanOrEqual(1100n)
    const changed = await service.client.call('changeRun', { params: { run_id: run.id }, body: { max_charge_microusd: '100000' } })
    await runToEnd(service.client, service.baseUrl, changed.parts[0]?.run_id ?? '')
    const whole = await service.client.call('getRun', { params: { run_id: run.id } })
    expect(whole).toMatchObject({ status: 'complete', progress: { scored: 10, missing: 0 }, accounting: { held_microusd: '0' } })
    expect(BigInt(whole.accounting.charged_microusd)).toBeGreaterThan(BigInt(run.accounting.charged_microusd))
  })
})

describe('a run capped at its quote’s upper bound', () => {
  test.each([1, 3, 12])('scores all of %i samples', async samples => {
    const run = await ended((await quoted({ samples })).id)
    expect(run).toMatchObject({ status: 'complete', stop_reason: null, progress: { scored: samples } })
  })

  test('scores all samples of a connection, whose provider’s upper bound is quoted too', async () => {
    const { client, baseUrl } = service
    const models = await startModelServer({
      answers: () => 'a longer answer than most, and then 13',
      faults: ['ok', 'server-error', 'ok', 'server-error'],
    })
    const rates = { input_microusd_per_million: '2500000', output_microusd_per_million: '10000000' }
    const { id } = await client.call('createConnection', { body: { name: 'capped', base_url: models.baseUrl, model: 'replay', rates } })
    await client.call('checkConnection', { params: { connection_id: id } })
    const wish = {
      model: { kind: 'connection', connection_id: id } as const,
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: 3, seed: 1 } as const,
    }
    const { cost } = await quote(client, wish)
    const bound = cost.provider_billed_upper_bound_microusd ?? ''
    expect(BigInt(bound)).toBeGreaterThan(BigInt(cost.provider_billed_estimate_microusd ?? 0))
    expect(cost.upper_bound_microusd).toBe('0')
    const capped = await quote(client, { ...wish, execution: { max_provider_billed_microusd: bound } })
    const run = await runToEnd(client, baseUrl, (await submit(client, capped.id)).id)
    expect(run).toMatchObject({ status: 'complete', stop_reason: null, progress: { scored: 3, retries: 2 } })
    await models.close()
  })
})

describe('a key with a ceiling', () => {
  test('stops at it, before any work, through whichever of its rolled keys', async () => {
    await allot(service, '100000000')
    const { cost } = await quoted()
    const bound = BigInt(cost.upper_bound_microusd)
    const made = await service.client.call('createApiKey', {
      body: { name: 'agent', scopes: ['runs:read', 'runs:write'], ceiling_microusd: String(bound) },
    })
    const agent = clientFor(service.baseUrl, made.key, service.workspaceId)
    const first = await runToEnd(service.client, service.baseUrl, (await submit(agent, (await quoted()).id, 'first')).id)
    const charged = BigInt(first.accounting.charged_microusd)
    expect(charged).toBeGreaterThan(0n)
    const keyNow = async (id: string) => (await service.client.call('listApiKeys', {})).items.find(key => key.id === id)
    expect(await keyNow(made.id)).toMatchObject({ spent_microusd: String(charged), held_microusd: '0' })

    await service.client.call('setKeyCeiling', { params: { key_id: made.id }, body: { ceiling_microusd: String(bound + charged - 1n) } })
    const fresh = await service.client.call('rollApiKey', { params: { key_id: made.id }, body: { overlap: '1h' } })
    const runs = await runCount()
    const asked = priced.models.requests()
    for (const key of [made.key, fresh.key]) {
      const refused = await clientFor(service.baseUrl, key, service.workspaceId).refusal('submitRun', {
        body: { quote_id: (await quoted()).id, name: 'beyond' },
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
      expect(refused).toMatchObject({ status: 402, code: 'spend_ceiling_reached' })
    }
    expect([await runCount(), priced.models.requests()]).toEqual([runs, asked])
    await service.client.call('setKeyCeiling', { params: { key_id: fresh.id }, body: { ceiling_microusd: String(bound + charged) } })
    const last = await submit(clientFor(service.baseUrl, fresh.key, service.workspaceId), (await quoted()).id, 'last')
    const total = charged + BigInt((await runToEnd(service.client, service.baseUrl, last.id)).accounting.charged_microusd)
    for (const { id } of [made, fresh]) expect(await keyNow(id)).toMatchObject({ spent_microusd: String(total), held_microusd: '0' })
  })

  test('of nothing, like the one in service.json, still submits what is free', async () => {
    const profiles = [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')]
    const free = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/first-option' },
      profiles,
      coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    })
    await submit(service.keyClient, free.id, 'free')
    const refused = await service.keyClient.refusal('submitRun', {
      body: { quote_id: (await quoted({ samples: 1 })).id, name: 'x' },
      headers: { 'idempotency-key': 'x' },
    })
    expect(refused).toMatchObject({ status: 402, code: 'spend_ceiling_reached' })
  })
})

describe('the rates of a local route', () => {
  test('are stated by an owner’s session alone, for a route that was found', async () => {
    const body = { route_id: priced.routeId, rates: oneEach }
    expect(await service.keyClient.refusal('setLocalRouteRates', { body })).toMatchObject({ status: 403, code: 'owner_session_required' })
    const unknown = await service.client.refusal('setLocalRouteRates', { body: { ...body, route_id: 'local/127.0.0.1:1/none' } })
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' })
    expect(await service.client.refusal('setLocalRouteRates', { body: { ...body, route_id: 'assay/echo' } })).toMatchObject({ status: 404 })
  })

  test('are taken back, survive a restart, and change no quote that was made', async () => {
    const before = await quoted({ samples: 2 })
    const routeNow = async () => (await service.client.call('listModels', { query: { q: 'replay', limit: 100 } })).items[0]
    expect(await service.client.call('setLocalRouteRates', { body: { route_id: priced.routeId, rates: null } })).toMatchObject({
      rates: { input_microusd_per_million: '0' },
    })
    expect((await quoted({ samples: 2 })).cost.upper_bound_microusd).toBe('0')
    expect((await service.client.call('getQuote', { params: { quote_id: before.id } })).cost).toEqual(before.cost)
    await service.client.call('setLocalRouteRates', { body: { route_id: priced.routeId, rates: oneEach } })
    await service.restart()
    expect(await routeNow()).toMatchObject({ rates: oneEach })
  })
})

describe('a key with a provider ceiling', () => {
  const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' }
  const keyWith = async (body: { ceiling_microusd?: string; provider_ceiling_microusd?: string | null }) => {
    const made = await service.client.call('createApiKey', {
      body: { name: 'provider ceiling', scopes: ['runs:read', 'runs:write', 'quotes:read', 'keys:read'], ...body },
    })
    return { made, client: clientFor(service.baseUrl, made.key, service.file.workspace_id) }
  }
  const quoteOn = async (stated: typeof rates | null, execution: Parameters<typeof quote>[1]['execution'] = {}) => {
    const models = await startModelServer({ answers: () => '#### 13' })
    const { id } = await service.client.call('createConnection', {
      body: { name: 'billed', base_url: models.baseUrl, model: 'replay', rates: stated },
    })
    await service.client.call('checkConnection', { params: { connection_id: id } })
    const wish = {
      model: { kind: 'connection', connection_id: id } as const,
      profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: 4, seed: 1 } as const,
      ...(execution === undefined ? {} : { execution }),
    }
    return { quoted: await quote(service.client, wish), models }
  }
  const submitAs = (client: TestClient, quoteId: string) =>
    client.refusal('submitRun', { body: { quote_id: quoteId, name: 'r' }, headers: { 'idempotency-key': crypto.randomUUID() } })

  test('is refused a run whose provider could bill more, and gets what the run did not use back', async () => {
    const { quoted: first, models } = await quoteOn(rates)
    const bound = BigInt(first.cost.provider_billed_upper_bound_microusd ?? '-1')
    expect(bound).toBeGreaterThan(0n)
    const { made, client } = await keyWith({ provider_ceiling_microusd: String(bound - 1n) })
    const asked = models.requests()
    expect(await submitAs(client, first.id)).toMatchObject({ status: 402, code: 'spend_ceiling_reached' })
    expect(models.requests()).toBe(asked)
    await service.client.call('setKeyCeiling', { params: { key_id: made.id }, body: { provider_ceiling_microusd: String(bound) } })
    const run = await submit(client, first.id)
    await runToEnd(client, service.baseUrl, run.id)
    const after = (await service.client.call('listApiKeys', { query: { limit: 100 } })).items.find(key => key.id === made.id)
    expect(after).toMatchObject({ provider_held_microusd: '0', spent_microusd: '0', provider_ceiling_microusd: String(bound) })
    const spent = BigInt(after?.provider_spent_microusd ?? '0')
    expect(spent).toBeGreaterThan(0n)
    expect(spent).toBeLessThan(bound)
    // What is left is less than a second run could cost, unless that run is capped.
    expect(await submitAs(client, first.id)).toMatchObject({ code: 'spend_ceiling_reached' })
    await models.close()
    const { quoted: capped, models: others } = await quoteOn(rates, { max_provider_billed_microusd: String(bound - spent) })
    const second = await runToEnd(client, service.baseUrl, (await submit(client, capped.id)).id)
    expect(BigInt(second.accounting.provider_billed_microusd ?? '-1')).toBeLessThanOrEqual(bound - spent)
    await others.close()
  })

  test('is refused connections without rates, and charges the wallet as before', async () => {
    const { quoted: unknown, models } = await quoteOn(null)
    const { client } = await keyWith({ provider_ceiling_microusd: '1000000' })
    const refused = await submitAs(client, unknown.id)
    expect(refused).toMatchObject({ status: 402, code: 'spend_ceiling_reached' })
    expect(refused.message).toContain('states no rates')
    const { client: unlimited } = await keyWith({})
    await runToEnd(unlimited, service.baseUrl, (await submit(unlimited, unknown.id)).id)
    await models.close()
    await allot(service, '1000000')
    await runToEnd(client, service.baseUrl, (await submit(client, (await quoted({ samples: 2 })).id)).id)
  })

  test('keeps it after changes to the key', async () => {
    const { made, client } = await keyWith({ provider_ceiling_microusd: '5' })
    expect(await client.refusal('setKeyCeiling', { params: { key_id: made.id }, body: { provider_ceiling_microusd: null } })).toMatchObject(
      { status: 403 },
    )
    expect(await service.client.refusal('setKeyCeiling', { params: { key_id: made.id }, body: {} })).toMatchObject({ status: 422 })
  })
})

describe('a quote warns of a cap', () => {
  const codes = ({ warnings }: { warnings: readonly { code: string }[] }) =>
    warnings.map(({ code }) => code).filter(code => code.startsWith('cap_'))

  test('below its upper bound, or below its most expensive sample, and of no other', async () => {
    const enough = await quoted({ samples: 4 })
    expect(codes(enough)).toEqual([])
    const bound = BigInt(enough.cost.upper_bound_microusd)
    expect(codes(await quoted({ samples: 4, cap: String(bound + 1n) }))).toEqual([])
    expect(codes(await quoted({ samples: 4, cap: String(bound - 1n) }))).toEqual(['cap_below_upper_bound'])
    const sample = BigInt(enough.cost.sample_upper_bound_microusd ?? '0')
    expect(codes(await quoted({ samples: 4, cap: String(sample) }))).toEqual(['cap_below_upper_bound'])
    expect(codes(await quoted({ samples: 4, cap: String(sample - 1n) }))).toEqual(['cap_below_sample'])
  })

  test('on what a connection’s provider may bill', async () => {
    const { client } = service
    const models = await startModelServer({ answers: () => '#### 13' })
    const { id } = await client.call('createConnection', { body: { name: 'w', base_url: models.baseUrl, model: 'replay', rates: oneEach } })
    await client.call('checkConnection', { params: { connection_id: id } })
    const wish = {
      model: { kind: 'connection', connection_id: id } as const,
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: 3, seed: 1 } as const,
    }
    expect(codes(await quote(client, wish))).toEqual([])
    const low = await quote(client, { ...wish, execution: { max_provider_billed_microusd: '1' } })
    expect(codes(low)).toEqual(['cap_below_sample'])
    expect(low.warnings.find(({ code }) => code === 'cap_below_sample')?.message).toContain('execution.max_provider_billed_microusd')
    await models.close()
  })
})
