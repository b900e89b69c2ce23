import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewApiKeyBody } from '../../src/contract/keys/keys.schemas.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { patience } from '../support/machine-speed.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { profileId, quote, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'

const hour = 3600 * 1000

let service: TestService
let clock: MovingClock

beforeAll(async () => {
  clock = movingClock()
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

const as = (key: string): TestClient => clientFor(service.baseUrl, key, service.workspaceId)
const inFuture = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()

async function statusOf(key: string): Promise<number> {
  const reply = await fetch(`${service.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  await reply.text()
  return reply.status
}

describe('a new key', () => {
  test('is shown once, with what it was given, and works within its scopes', async () => {
    const expiresAt = inFuture(24 * hour)
    const made = await service.client.call('createApiKey', {
      body: { name: ' reader ', scopes: ['runs:read', 'runs:read', 'catalog:read'], expires_at: expiresAt, ceiling_microusd: '2500000' },
    })
    expect(made).toMatchObject({
      name: 'reader',
      status: 'active',
      expires_at: expiresAt,
      ceiling_microusd: '2500000',
      spent_microusd: '0',
      held_microusd: '0',
      last_used_at: null,
    })
    expect(made.key).toMatch(/^asy_[\w-]{43}$/)
    expect(made.key.startsWith(made.prefix)).toBe(true)
    expect(new Set(made.scopes)).toEqual(new Set(['catalog:read', 'runs:read']))

    const { items } = await service.client.call('listApiKeys', {})
    const listed = items.find(key => key.id === made.id)
    expect(listed).not.toHaveProperty('key')
    expect(JSON.stringify(items)).not.toContain(made.key)

    await as(made.key).call('listRuns', {})
    expect(await as(made.key).refusal('listConnections', {})).toMatchObject({ status: 403, code: 'missing_scope' })
    const used = await service.client.call('listApiKeys', {})
    expect(used.items.find(key => key.id === made.id)?.last_used_at).toBe(clock.now().toISOString())
  })

  test('accepts an expiry of any zone and stops at that moment', async () => {
    const end = new Date(clock.now().getTime() + hour)
    end.setMilliseconds(0)
    const wished = `${new Date(end.getTime() + 2 * hour).toISOString().slice(0, 19)}+02:00`
    const made = await service.client.call('createApiKey', { body: { name: 'short', scopes: ['runs:read'], expires_at: wished } })
    expect(made.expires_at).toBe(end.toISOString())
    clock.advance(end.getTime() - clock.now().getTime() - 1)
    expect(await statusOf(made.key)).toBe(200)
    clock.advance(1)
    expect(await statusOf(made.key)).toBe(401)
    const { items } = await service.client.call('listApiKeys', {})
    expect(items.find(key => key.id === made.id)?.status).toBe('expired')
  })

  test.each([
    ['without a name', { scopes: ['runs:read'] }],
    ['with no scope', { name: 'x', scopes: [] }],
    ['with an unknown scope', { name: 'x', scopes: ['runs:own'] }],
    ['with an unknown field', { name: 'x', scopes: ['runs:read'], admin: true }],
    ['that has expired already', { name: 'x', scopes: ['runs:read'], expires_at: '2020-01-01T00:00:00Z' }],
    ['that ends after the last year of four digits', { name: 'x', scopes: ['runs:read'], expires_at: '9999-12-31T23:59:59-05:00' }],
    ['with a negative ceiling', { name: 'x', scopes: ['runs:read'], ceiling_microusd: '-1' }],
    ['with a ceiling as a number', { name: 'x', scopes: ['runs:read'], ceiling_microusd: 5 }],
  ])('%s is refused', async (_what, body) => {
    const reply = await service.fetch('/v1/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await reply.json()).toMatchObject({ error: { code: 'validation_error' } })
    expect(reply.status).toBe(422)
  })

  test('is the same key when its request is sent again, also at the same time', async () => {
    const headers = { 'idempotency-key': 'one-key' }
    const body = { name: 'idempotent', scopes: ['runs:read'] as const satisfies string[] }
    const make = () => service.client.call('createApiKey', { body: { ...body, scopes: [...body.scopes] }, headers })
    const both = await Promise.allSettled([make(), make()])
    const made = both.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    // One of two at the same time may be told that the other is being carried out.
    expect(made.length).toBeGreaterThan(0)
    expect(await make()).toEqual(made[0])
    expect(await statusOf(made[0]?.key ?? '')).toBe(200)
    const { items } = await service.client.call('listApiKeys', {})
    expect(items.filter(key => key.name === 'idempotent')).toHaveLength(1)
    const other = await service.client.refusal('createApiKey', { body: { name: 'other', scopes: ['runs:read'] }, headers })
    expect(other).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
  })
})

describe('a key that makes keys', () => {
  test('hands on no scope, no time and no money beyond its own', async () => {
    const maker = await service.client.call('createApiKey', {
      body: { name: 'maker', scopes: ['keys:read', 'keys:write', 'runs:read'], expires_at: inFuture(10 * hour), ceiling_microusd: '1000' },
    })
    const client = as(maker.key)
    const within = inFuture(5 * hour)
    const refused = async (body: Parameters<typeof client.call<'createApiKey'>>[1]['body']) =>
      (await client.refusal('createApiKey', { body })).code
    expect(await refused({ name: 'x', scopes: ['runs:write'], expires_at: within })).toBe('missing_scope')
    expect(await refused({ name: 'x', scopes: ['runs:read'], expires_at: inFuture(11 * hour) })).toBe('owner_session_required')
    expect(await refused({ name: 'x', scopes: ['runs:read'] })).toBe('owner_session_required')
    expect(await refused({ name: 'x', scopes: ['runs:read'], expires_at: within, ceiling_microusd: '1' })).toBe('owner_session_required')
    expect(await refused({ name: 'x', scopes: ['runs:read'], expires_at: within, ceiling_microusd: null })).toBe('owner_session_required')
    const child = await client.call('createApiKey', { body: { name: 'child', scopes: ['runs:read'], expires_at: within } })
    expect(child.ceiling_microusd).toBe('0')

    const powerful = await service.client.call('createApiKey', { body: { name: 'powerful', scopes: [...scopes] } })
    const rolled = await client.refusal('rollApiKey', { params: { key_id: powerful.id }, body: { overlap: 'none' } })
    expect(rolled.code).toBe('missing_scope')
    const rich = await service.client.call('createApiKey', {
      body: { name: 'rich', scopes: ['runs:read'], expires_at: within, ceiling_microusd: '5000' },
    })
    expect((await client.refusal('rollApiKey', { params: { key_id: rich.id }, body: { overlap: 'none' } })).code).toBe(
      'owner_session_required',
    )
    expect(await statusOf(powerful.key)).toBe(200)
  })
})

describe('a ceiling', () => {
  test('is set and cleared by owners, never by a key', async () => {
    const { id, key } = await service.client.call('createApiKey', {
      body: { name: 'capped', scopes: ['keys:write'], ceiling_microusd: '10' },
    })
    for (const ceiling of ['0', '10', '999999', null]) {
      const refused = await as(key).refusal('setKeyCeiling', { params: { key_id: id }, body: { ceiling_microusd: ceiling } })
      expect(refused).toMatchObject({ status: 403, code: 'owner_session_required' })
      const local = await service.keyClient.refusal('setKeyCeiling', { params: { key_id: id }, body: { ceiling_microusd: ceiling } })
      expect(local).toMatchObject({ status: 403, code: 'owner_session_required' })
    }
    expect(
      (await service.client.call('setKeyCeiling', { params: { key_id: id }, body: { ceiling_microusd: '20' } })).ceiling_microusd,
    ).toBe('20')
    expect(
      (await service.client.call('setKeyCeiling', { params: { key_id: id }, body: { ceiling_microusd: null } })).ceiling_microusd,
    ).toBeNull()
  })
})

describe('rolling', () => {
  test.each([
    ['none', 0],
    ['1h', hour],
    ['24h', 24 * hour],
    ['7d', 7 * 24 * hour],
  ] as const)('with overlap %s lets the old key work that long', async (overlap, length) => {
    const old = await service.client.call('createApiKey', {
      body: { name: `roll ${overlap}`, scopes: ['runs:read'], expires_at: inFuture(30 * 24 * hour), ceiling_microusd: '7' },
    })
    const fresh = await service.client.call('rollApiKey', { params: { key_id: old.id }, body: { overlap } })
    expect(fresh).toMatchObject({
      name: old.name,
      scopes: old.scopes,
      expires_at: old.expires_at,
      ceiling_microusd: '7',
      replaces: old.id,
      status: 'active',
    })
    expect(fresh.key).not.toBe(old.key)
    expect(await statusOf(fresh.key)).toBe(200)
    if (length > 0) {
      clock.advance(length - 1)
      expect(await statusOf(old.key)).toBe(200)
      clock.advance(1)
    }
    expect(await statusOf(old.key)).toBe(401)
    expect(await statusOf(fresh.key)).toBe(200)
    const { items } = await service.client.call('listApiKeys', {})
    expect(items.find(key => key.id === old.id)).toMatchObject({ status: 'replaced', replaced_by: fresh.id })
    const again = await service.client.refusal('rollApiKey', { params: { key_id: old.id }, body: { overlap: 'none' } })
    expect(again).toMatchObject({ status: 409, code: 'illegal_transition' })
  })

  test('never lets the old key outlive its own expiry', async () => {
    const old = await service.client.call('createApiKey', { body: { name: 'ending', scopes: ['runs:read'], expires_at: inFuture(hour) } })
    await service.client.call('rollApiKey', { params: { key_id: old.id }, body: { overlap: '7d' } })
    const { items } = await service.client.call('listApiKeys', {})
    expect(items.find(key => key.id === old.id)?.stops_at).toBe(old.expires_at)
    clock.advance(hour)
    expect(await statusOf(old.key)).toBe(401)
  })

  test('shares one ceiling, which is set through either key', async () => {
    const old = await service.client.call('createApiKey', { body: { name: 'shared', scopes: ['runs:read'], ceiling_microusd: '7' } })
    const fresh = await service.client.call('rollApiKey', { params: { key_id: old.id }, body: { overlap: '24h' } })
    await service.client.call('setKeyCeiling', { params: { key_id: fresh.id }, body: { ceiling_microusd: '9' } })
    const { items } = await service.client.call('listApiKeys', {})
    expect(items.filter(key => key.name === 'shared').map(key => key.ceiling_microusd)).toEqual(['9', '9'])
  })

  test('is refused for keys that are revoked, and for the one in service.json', async () => {
    const { id } = await service.client.call('createApiKey', { body: { name: 'gone', scopes: ['runs:read'] } })
    await service.client.call('revokeApiKey', { params: { key_id: id } })
    expect(await service.client.refusal('rollApiKey', { params: { key_id: id }, body: { overlap: '1h' } })).toMatchObject({
      status: 409,
      code: 'illegal_transition',
    })
    const { items } = await service.client.call('listApiKeys', { query: { limit: 100 } })
    const local = items.find(key => key.name === 'local')?.id ?? ''
    expect(await service.client.refusal('rollApiKey', { params: { key_id: local }, body: { overlap: '1h' } })).toMatchObject({
      status: 409,
      code: 'conflict',
    })
  })
})

describe('revoking', () => {
  let models: ModelServer
  beforeAll(async () => {
    models = await startModelServer({ answers: () => '#### 1', delayMs: 400 })
  })
  afterAll(() => models.close())

  test('acts on the next request and can be repeated', async () => {
    const { id, key } = await service.client.call('createApiKey', { body: { name: 'revoked', scopes: ['runs:read'] } })
    expect(await statusOf(key)).toBe(200)
    const revoked = await service.client.call('revokeApiKey', { params: { key_id: id } })
    expect(revoked).toMatchObject({ status: 'revoked', revoked_at: clock.now().toISOString() })
    expect(await statusOf(key)).toBe(401)
    clock.advance(hour)
    expect(await service.client.call('revokeApiKey', { params: { key_id: id } })).toEqual(revoked)
  })

  test.each([
    ['a revoked key', (id: string) => service.client.call('revokeApiKey', { params: { key_id: id } })],
    [
      'a key that was rolled without overlap',
      (id: string) => service.client.call('rollApiKey', { params: { key_id: id }, body: { overlap: 'none' } }),
    ],
    [
      'a rolled key at the end of its overlap',
      async (id: string) => {
        await service.client.call('rollApiKey', { params: { key_id: id }, body: { overlap: '1h' } })
        clock.advance(hour)
      },
    ],
    ['a key whose time is over', () => Promise.resolve(clock.advance(3 * hour))],
  ])('ends the open event streams of %s while the run goes on', async (_what, stop) => {
    const { client, baseUrl } = service
    const connection = await client.call('createConnection', {
      body: { name: 'slow', base_url: models.baseUrl, model: 'replay', limits: { max_concurrency: 1 } },
    })
    await client.call('checkConnection', { params: { connection_id: connection.id } })
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const { id: quoteId } = await quote(client, { model: { kind: 'connection', connection_id: connection.id }, profiles: [profile] })
    const run = await submit(client, quoteId)
    const { id, key } = await client.call('createApiKey', {
      body: { name: 'watcher', scopes: ['runs:read'], expires_at: inFuture(2 * hour) },
    })
    const stream = await fetch(`${baseUrl}/v1/runs/${run.id}/events`, {
      headers: as(key).headers,
      signal: AbortSignal.timeout(15_000 * patience()),
    })
    expect(stream.status).toBe(200)
    const reader = stream.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toContain('retry')
    await stop(id)
    // Ends by itself, well before the run does; otherwise the signal above fails the test.
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read());
    const { status } = await client.call('getRun', { params: { run_id: run.id } })
    expect(isTerminal(runMachine, status)).toBe(false)
    await client.call('cancelRun', { params: { run_id: run.id } })
  })
})

describe('the key of service.json', () => {
  test('is distinguished from keys of the same name, and keeps its ceiling over a restart', async () => {
    const { items } = await service.client.call('listApiKeys', { query: { limit: 100 } })
    const local = items.find(key => key.name === 'local')
    await service.client.call('setKeyCeiling', { params: { key_id: local?.id ?? '' }, body: { ceiling_microusd: '123' } })
    const namesake = await service.client.call('createApiKey', { body: { name: 'local', scopes: ['runs:read'] } })
    await service.restart()
    expect(await statusOf(namesake.key)).toBe(200)
    expect(await statusOf(service.file.api_key)).toBe(200)
    const after = await service.client.call('listApiKeys', { query: { limit: 100 } })
    expect(after.items.find(key => key.id === local?.id)?.ceiling_microusd).toBe('123')
    expect(after.items.find(key => key.id === namesake.id)?.scopes).toEqual(['runs:read'])
  })
})

describe('the listing', () => {
  test('pages newest first without repeating or skipping one while keys are made', async () => {
    const seen: string[] = []
    const before = (await service.client.call('listApiKeys', { query: { limit: 100 } })).items.map(key => key.id)
    let cursor: string | undefined
    do {
      const page = await service.client.call('listApiKeys', { query: { limit: 3, ...(cursor ? { cursor } : {}) } })
      seen.push(...page.items.map(key => key.id))
      await service.client.call('createApiKey', { body: { name: 'meanwhile', scopes: ['runs:read'] } })
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(before)
  })
})

describe('revoking is a power like giving', () => {
  const revoke = (client: TestClient, id: string) => client.refusal('revokeApiKey', { params: { key_id: id } })
  const make = async (body: Partial<NewApiKeyBody> & Pick<NewApiKeyBody, 'name' | 'scopes'>) => {
    const made = await service.client.call('createApiKey', { body: { expires_at: null, ...body } })
    return { id: made.id, client: clientFor(service.baseUrl, made.key, service.workspaceId) }
  }
  const narrow = ['keys:read', 'keys:write'] as const

  test('a key revokes none with scopes that it lacks, and never the one in service.json', async () => {
    const { client } = await make({ name: 'narrow', scopes: [...narrow] })
    const wide = await make({ name: 'wide', scopes: [...narrow, 'runs:write'] })
    expect(await revoke(client, wide.id)).toMatchObject({ status: 403, code: 'missing_scope' })
    const { items } = await service.client.call('listApiKeys', { query: { limit: 100 } })
    const local = items.find(({ prefix }) => service.file.api_key.startsWith(prefix))?.id ?? ''
    for (const asker of [client, wide.client, service.keyClient])
      expect(await revoke(asker, local)).toMatchObject({ status: 403, code: 'owner_session_required' })
    await service.keyClient.call('listApiKeys', {})
    await wide.client.call('listApiKeys', {})
  })

  test('a key revokes none that outlives it or may spend more', async () => {
    const soon = inFuture(hour)
    const brief = await make({ name: 'brief', scopes: [...narrow], expires_at: soon })
    const capped = await make({ name: 'capped', scopes: [...narrow], ceiling_microusd: '5' })
    const lasting = await make({ name: 'lasting', scopes: ['keys:read'] })
    for (const { client } of [brief, capped])
      expect(await revoke(client, lasting.id)).toMatchObject({ status: 403, code: 'owner_session_required' })
    await lasting.client.call('listApiKeys', {})
  })

  test('a key revokes itself and keys within its powers; a person revokes any', async () => {
    const own = await make({ name: 'own', scopes: [...narrow] })
    const within = await make({ name: 'within', scopes: ['keys:read'] })
    await own.client.call('revokeApiKey', { params: { key_id: within.id } })
    expect(await within.client.refusal('listApiKeys', {})).toMatchObject({ status: 401 })
    await own.client.call('revokeApiKey', { params: { key_id: own.id } })
    expect(await own.client.refusal('listApiKeys', {})).toMatchObject({ status: 401 })
    const wide = await make({ name: 'any', scopes: ['runs:write'] })
    await service.client.call('revokeApiKey', { params: { key_id: wide.id } })
  })
})
