import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { limitFields } from '../../src/service/auth/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { oneEach, pricedRoute } from '../support/priced-quote.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, type TestClient, type TestService, startTestService } from '../support/service.ts'
import { pricedModel, type PricedModel } from '../support/tuning.ts'

let service: TestService
let key: TestClient
let member: TestClient
let keyId: string
let paid: PricedModel
let route: Awaited<ReturnType<typeof pricedRoute>>
const free = { input_microusd_per_million: '0', output_microusd_per_million: '0' }

beforeAll(async () => {
  service = await startTestService()
  const { client } = service
  const made = await client.call('createApiKey', { body: { name: 'all', scopes: [...scopes] } })
  keyId = made.id
  key = clientFor(service.baseUrl, made.key, service.workspaceId)
  paid = await pricedModel(client, 'Paid', () => '#### 13', 1_000_000)
  route = await pricedRoute(service)
  const { pairing_code: invitation } = await client.call('inviteMember', {
    body: { name: 'Member', role: 'member' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const reply = await fetch(`${service.baseUrl}/v1/sessions/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: invitation.code }),
  })
  const cookie = /assay_session[^=]*=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1]
  const { session_token: token = cookie } = z.object({ session_token: z.string().optional() }).parse(await reply.json())
  member = clientFor(service.baseUrl, token ?? '', service.workspaceId)
})
afterAll(async () => {
  await service.close()
  await Promise.all([paid.server.close(), route.models.close()])
})

const connection = () => service.client.call('listConnections', {}).then(({ items }) => items.find(({ id }) => id === paid.id))
const standard = { name: 'x', base_url: 'https://models.example/v1', model: 'm' }
const sets: Readonly<Record<keyof typeof limitFields, (client: TestClient) => Promise<{ readonly code: string }>>> = {
  'createApiKey.ceiling_microusd': client =>
    client.refusal('createApiKey', { body: { name: 'k', scopes: ['runs:read'], ceiling_microusd: '5' } }),
  'createApiKey.provider_ceiling_microusd': client =>
    client.refusal('createApiKey', { body: { name: 'k', scopes: ['runs:read'], provider_ceiling_microusd: '5' } }),
  'setKeyCeiling.ceiling_microusd': client =>
    client.refusal('setKeyCeiling', { params: { key_id: keyId }, body: { ceiling_microusd: null } }),
  'setKeyCeiling.provider_ceiling_microusd': client =>
    client.refusal('setKeyCeiling', { params: { key_id: keyId }, body: { provider_ceiling_microusd: '9' } }),
  'createConnection.rates': client => client.refusal('createConnection', { body: { ...standard, rates: free } }),
  'updateConnection.rates': client => client.refusal('updateConnection', { params: { connection_id: paid.id }, body: { rates: free } }),
  'setLocalRouteRates.rates': client => client.refusal('setLocalRouteRates', { body: { route_id: route.routeId, rates: null } }),
}

describe('a field that a spending limit is computed from', () => {
  test('is in the table, whatever operation takes it', () => {
    const fields = Object.entries<Endpoint>(api).flatMap(([id, { body }]) =>
      body === undefined ? [] : namesIn(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).map(name => `${id}.${name}`),
    )
    const named = [...new Set(fields)].filter(field => /\.(?:rates|(?:provider_)?ceiling_microusd)$/.test(field))
    expect(named.toSorted()).toEqual(Object.keys(limitFields).toSorted())
  })

  test.each(Object.keys(sets))('is refused to a key and to a member: %s', async field => {
    const before = [await connection(), await service.client.call('listApiKeys', {}), await service.client.call('listModels', {})]
    const set = sets[field as keyof typeof sets] // one of its own keys
    expect((await set(key)).code).toBe('owner_session_required')
    expect(['owner_session_required', 'missing_scope']).toContain((await set(member)).code)
    const after = [await connection(), await service.client.call('listApiKeys', {}), await service.client.call('listModels', {})]
    expect(JSON.stringify(after).replaceAll(/"last_used_at":[^,]+/g, '')).toBe(
      JSON.stringify(before).replaceAll(/"last_used_at":[^,]+/g, ''),
    )
  })

  test('is gone where a key has another model called than the one that it was stated for', async () => {
    const { client } = service
    const { id } = await client.call('createConnection', { body: { ...standard, name: 'moved', rates: oneEach } })
    const change = (who: TestClient, body: object) => who.call('updateConnection', { params: { connection_id: id }, body })
    expect((await change(key, { name: 'renamed', rates: oneEach })).rates).toEqual(oneEach)
    expect((await change(client, { model: 'other' })).rates).toEqual(oneEach)
    expect((await change(key, { model: 'dearer' })).rates).toBeNull()
  })
})

describe('an address of a private network', () => {
  const addresses = [
    'http://10.1.2.3/v1',
    'http://172.16.0.9:8000/v1',
    'http://192.168.1.20:11434/v1',
    'http://100.64.0.1/v1',
    'http://[fd00::1]/v1',
  ]

  test.each(addresses)('is refused to a key and accepted from a person: %s', async base_url => {
    const body = { ...standard, base_url }
    expect((await key.refusal('createConnection', { body })).code).toBe('human_approval_required')
    expect((await key.refusal('listEndpointModels', { body: { base_url } })).code).toBe('human_approval_required')
    const update = { params: { connection_id: paid.id }, body: { base_url } }
    expect((await key.refusal('updateConnection', update)).code).toBe('human_approval_required')
    const made = await service.client.call('createConnection', { body })
    expect((await key.call('updateConnection', { params: { connection_id: made.id }, body: { name: 'renamed' } })).name).toBe('renamed')
  })

  test('is not called where the name of a key’s connection leads there', async () => {
    const { id } = await service.client.call('createConnection', { body: { ...standard, base_url: 'http://10.1.2.3/v1' } })
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    // As if the name had been public when the key gave it.
    db.prepare('update connections set by_person = 0 where id = ?').run(id)
    db.close()
    const { last_check: check } = await key.call('checkConnection', { params: { connection_id: id } })
    expect(check).toMatchObject({ ok: false, code: 'address_refused' })
  })
})

test('a monitor’s month counts what providers bill', async () => {
  const { client } = service
  const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
  const { id } = await quote(client, {
    model: { kind: 'connection', connection_id: paid.id },
    profiles: [profile],
    coverage: { mode: 'full' },
  })
  const { id: runId } = await submit(client, id)
  const run = await runToEnd(client, service.baseUrl, runId)
  const billed = BigInt(run.accounting.provider_billed_microusd ?? 0)
  const quoted = await client.call('getQuote', { params: { quote_id: id } })
  const bound = BigInt(quoted.cost.provider_billed_upper_bound_microusd ?? 0)
  expect(billed).toBeGreaterThan(0n)
  const monitor = await client.call('createTuneMonitor', {
    body: {
      name: 'Watch',
      profile_id: profile,
      baseline: { run_id: runId },
      max_charge_microusd: '0',
      max_monthly_microusd: String(bound + billed - 1n),
    },
  })
  const params = { monitor_id: monitor.id }
  const send = async () => {
    const { occurrence_id: sent } = await client.call('createTuneMonitorEvent', { params, body: { type: 'manual' } })
    const find = async () => (await client.call('listTuneOccurrences', { params, query: {} })).find(occurrence => occurrence.id === sent)
    await expect.poll(async () => (await find())?.finished_at ?? null).not.toBeNull()
    return find()
  }
  expect(await send()).toMatchObject({ status: 'complete', spent_microusd: '0', provider_billed_microusd: String(billed) })
  expect(await send()).toMatchObject({ status: 'skipped', skip_reason: 'cap_reached', run_id: null })
})

/** Names of the properties of a body, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, inner]) => {
    const own = name === 'properties' && typeof inner === 'object' && inner !== null ? Object.keys(inner) : []
    return [...own, ...namesIn(inner)]
  })
}
