import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpResponse, startFaultServer, type WireScript } from '../journeys/model-server/fault-server.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { profileId } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
const key = 'sk-canary-6f1c2a7d9e'
const header = 'canary-header-value'

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const register = (base_url: string, more = {}) =>
  service.client.call('createConnection', {
    body: {
      name: 'endpoint',
      base_url,
      model: 'replay',
      api_key: key,
      headers: { 'X-Team': header },
      ...more,
    },
  })

const check = (id: string) => service.client.call('checkConnection', { params: { connection_id: id } })

describe('a connection', () => {
  test.each([false, true])('is registered, checked (streaming: %s), quoted and disabled', async streaming => {
    const models = await startModelServer({ answers: () => 'ready' })
    const made = await register(models.baseUrl, { streaming })
    expect(made).toMatchObject({ status: 'unchecked', has_api_key: true, header_names: ['X-Team'], last_check: null })
    const checked = await check(made.id)
    expect(checked).toMatchObject({ status: 'ready', last_check: { ok: true, code: null } })
    expect(checked.last_check?.latency_ms).toBeGreaterThan(0)
    expect(await service.client.call('disableConnection', { params: { connection_id: made.id } })).toEqual({ ok: true })
    expect(await service.client.call('disableConnection', { params: { connection_id: made.id } })).toEqual({ ok: true })
    const { items } = await service.client.call('listConnections', {})
    expect(items.find(item => item.id === made.id)).toMatchObject({ status: 'disabled', has_api_key: false, header_names: [] })
    expect(await service.client.refusal('checkConnection', { params: { connection_id: made.id } })).toMatchObject({
      code: 'illegal_transition',
    })
    await models.close()
  })

  test('asks for a new check after a change but of its name, and forgets its key when its host changes', async () => {
    const models = await startModelServer({ answers: () => 'ready' })
    const { id } = await register(models.baseUrl)
    const checked = await check(id)
    const renamed = await service.client.call('updateConnection', { params: { connection_id: id }, body: { name: 'renamed' } })
    expect(renamed).toMatchObject({ name: 'renamed', status: checked.status, has_api_key: true, header_names: ['X-Team'] })
    expect(renamed.last_check).toEqual(checked.last_check)
    const moved = await service.client.call('updateConnection', {
      params: { connection_id: id },
      body: { base_url: 'http://127.0.0.1:29998/v1' },
    })
    expect(moved).toMatchObject({ status: 'unchecked', last_check: null, has_api_key: false, header_names: [] })
    await models.close()
  })

  test('that is unchecked cannot be submitted: its quote says so', async () => {
    const { id } = await register('http://127.0.0.1:29998/v1')
    const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
    const quote = await service.client.call('createQuote', {
      body: {
        model: { kind: 'connection', connection_id: id },
        selection: { profile_ids: [profile] },
        coverage: { mode: 'sample', sample_count: 5, seed: 1 },
        max_charge_microusd: '0',
      },
    })
    expect(quote.compatibility.status).toBe('incompatible')
    expect(await service.client.refusal('submitRun', { body: { quote_id: quote.id, name: 'no' } })).toMatchObject({
      status: 409,
      code: 'quote_incompatible',
    })
  })

  test.each([
    ['credentials in the address', 'http://user:pass@127.0.0.1:29998/v1'],
    ['another scheme', 'ftp://127.0.0.1/v1'],
    ['the metadata address', 'http://169.254.169.254/v1'],
    ['no address', 'localhost'],
  ])('is refused with %s', async (_name, base_url) => {
    const refused = await service.client.refusal('createConnection', { body: { name: 'x', base_url, model: 'm' } })
    expect(refused).toMatchObject({ status: 422, code: 'validation_error' })
    expect(refused.detail[0]?.loc).toEqual(['body', 'base_url'])
  })
})

const json = { 'content-type': 'application/json' }
const answers = (status: number, headers: Record<string, string> = {}, body = '{"error":{"message":"scripted"}}'): WireScript => [
  { send: httpResponse(status, { ...json, ...headers }, body) },
]

describe('a check of an endpoint that', () => {
  test.each<[string, WireScript, string]>([
    ['refuses the key (401)', answers(401), 'credential_refused'],
    ['does not know the address (404)', answers(404), 'model_not_found'],
    ['asks for a pause (429)', answers(429, { 'retry-after': '7' }), 'rate_limited'],
    ['asks for a pause without saying how long (429)', answers(429), 'rate_limited'],
    ['fails (500)', answers(500), 'provider_failure'],
    ['talks garbage', answers(200, {}, '\u0000\u0001 not JSON'), 'bad_response'],
    ['answers a page', [{ send: httpResponse(200, { 'content-type': 'text/html' }, '<html>sign in</html>') }], 'bad_response'],
    [
      'never ends its answer',
      [
        { send: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n' },
        { repeat: '5\r\n     \r\n', everyMs: 20 },
      ],
      'timeout',
    ],
    ['says nothing at all', [], 'timeout'],
    ['redirects', answers(302, { location: 'http://elsewhere.invalid/v1' }), 'redirect_refused'],
    ['hangs up', ['reset'], 'unreachable'],
  ])('%s says so in words and leaves the connection failing', async (_name, script, code) => {
    const server = await startFaultServer(script)
    const { id } = await register(server.baseUrl, code === 'timeout' ? { limits: { attempt_timeout_ms: 1_000 } } : {})
    const checked = await check(id)
    expect(checked).toMatchObject({ status: 'failing', last_check: { ok: false, code } })
    expect(checked.last_check?.message.length).toBeGreaterThan(15)
    expect(JSON.stringify(checked)).not.toContain(key)
    expect(JSON.stringify(checked)).not.toContain(header)
    await server.close()
  })

  test('answers without text is ready and remembered as empty', async () => {
    const models = await startModelServer({ answers: () => '' })
    const { id } = await register(models.baseUrl)
    expect(await check(id)).toMatchObject({ status: 'ready', last_check: { ok: true, empty_answer: true } })
    await models.close()
  })

  test('is silent while whoever asked leaves stays as it was', async () => {
    const server = await startFaultServer([])
    const { id } = await register(server.baseUrl, { limits: { attempt_timeout_ms: 60_000 } })
    const leave = new AbortController()
    const asked = service.fetch(`/v1/connections/${id}/check`, { method: 'POST', signal: leave.signal })
    await server.arrived(0)
    leave.abort()
    await expect(asked).rejects.toThrow('abort')
    await server.left(0)
    const { items } = await service.client.call('listConnections', { query: { limit: 100 } })
    expect(items.find(connection => connection.id === id)).toMatchObject({ status: 'unchecked', last_check: null })
    await server.close()
  })

  test('is not there says so', async () => {
    const { id } = await register('http://127.0.0.1:29998/v1')
    expect(await check(id)).toMatchObject({ status: 'failing', last_check: { code: 'unreachable' } })
  })
})

test('no stored key or header value is in the database or its log', async () => {
  await register('http://127.0.0.1:29998/v1')
  for (const name of ['assay.db', 'assay.db-wal']) {
    const bytes = readFileSync(join(service.dataDir, name))
    expect({ name, holdsKey: bytes.includes(key), holdsHeader: bytes.includes(header) }).toEqual({
      name,
      holdsKey: false,
      holdsHeader: false,
    })
  }
})

describe('an endpoint', () => {
  test('is asked for its models before it is a connection, and with the stored key of its own host only', async () => {
    const models = await startModelServer({ answers: () => 'ready' })
    const body = { base_url: models.baseUrl }
    expect(await service.client.call('listEndpointModels', { body })).toEqual({
      items: [{ model: 'replay', context_tokens: null }],
      message: null,
    })
    const { id } = await register(models.baseUrl)
    const server = await startFaultServer(answers(401))
    const elsewhere = await service.client.call('listEndpointModels', { body: { base_url: `${server.baseUrl}/v1`, connection_id: id } })
    expect(elsewhere).toEqual({ items: [], message: expect.stringContaining('key') })
    expect(JSON.stringify(server.received())).not.toContain(key)
    expect(await service.client.refusal('listEndpointModels', { body: { base_url: 'http://169.254.169.254/v1' } })).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
    await models.close()
    await server.close()
  })

  test('is asked for its models with the stored key and headers, each of which can be replaced or left out', async () => {
    const server = await startFaultServer(answers(200, {}, JSON.stringify({ data: [{ id: 'replay' }] })))
    const { id } = await register(server.baseUrl)
    const sent = async (more: object) => {
      const body = { base_url: server.baseUrl, connection_id: id, ...more }
      expect((await service.client.call('listEndpointModels', { body })).items).toHaveLength(1)
      return (server.received().at(-1) ?? '').toLowerCase().match(/^(?:authorization|x-\w+): .*$/gm)
    }
    expect(await sent({})).toEqual([`authorization: bearer ${key}`, `x-team: ${header}`])
    expect(await sent({ api_key: 'sk-typed', headers: { 'X-Other': 'more' } })).toEqual(['authorization: bearer sk-typed', 'x-other: more'])
    expect(await sent({ headers: {} })).toEqual([`authorization: bearer ${key}`])
    expect(await sent({ api_key: null })).toEqual([`x-team: ${header}`])
    await server.close()
  })

  test('gets another model with the key and headers of its connection, which are sent to no other origin and shown to nobody', async () => {
    const chat = { choices: [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }] }
    const server = await startFaultServer(answers(200, {}, JSON.stringify(chat)))
    const base_url = server.baseUrl
    const lastHead = () => server.received().at(-1)?.toLowerCase() ?? ''
    const first = await register(base_url)
    const body = { name: 'second', base_url, model: 'other', credentials_from: first.id }
    const second = await service.client.call('createConnection', { body })
    expect(second).toMatchObject({ model: 'other', status: 'unchecked', has_api_key: true, header_names: ['X-Team'], rates: null })
    expect(JSON.stringify(second)).not.toContain(key)
    expect(await check(second.id)).toMatchObject({ status: 'ready' })
    for (const line of [`authorization: bearer ${key}`, `x-team: ${header}`]) expect(lastHead()).toContain(line)

    // What is given replaces what is copied, and both connections keep their own from then on.
    const create = (more: object) => service.client.call('createConnection', { body: { ...body, ...more } })
    expect(await create({ api_key: null })).toMatchObject({ has_api_key: false, header_names: ['X-Team'] })
    expect(await create({ headers: {} })).toMatchObject({ has_api_key: true, header_names: [] })
    const own = await create({ api_key: 'sk-own', headers: { 'x-team': 'more' } })
    expect(own.header_names).toEqual(['x-team'])
    await service.client.call('disableConnection', { params: { connection_id: first.id } })
    expect(await check(own.id)).toMatchObject({ status: 'ready' })
    for (const line of ['authorization: bearer sk-own', 'x-team: more']) expect(lastHead()).toContain(line)

    const refusals = [
      { ...body },
      { ...body, credentials_from: second.id, base_url: 'http://127.0.0.1:59998/v1' },
      { ...body, credentials_from: second.id, base_url: base_url.replace('127.0.0.1', 'localhost') },
    ]
    for (const refused of refusals) {
      const { code, detail } = await service.client.refusal('createConnection', { body: refused })
      expect([code, detail[0]?.loc]).toEqual(['validation_error', ['body', 'credentials_from']])
    }
    const unknown = await service.client.refusal('createConnection', { body: { ...body, credentials_from: crypto.randomUUID() } })
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' })
    await server.close()
  })

  test('answers one prompt, whose answer is shown and not kept', async () => {
    const models = await startModelServer({ answers: question => (question.includes('17') ? 'It is 42.' : 'ready') })
    const { id } = await register(models.baseUrl)
    const params = { connection_id: id }
    const before = models.requests()
    expect(await service.client.call('tryConnection', { params, body: { prompt: 'What is 17 + 25?' } })).toMatchObject({
      ok: true,
      output: 'It is 42.',
      finish_reason: 'stop',
      message: null,
    })
    expect(models.requests()).toBe(before + 1)
    await models.close()
    expect(await service.client.call('tryConnection', { params, body: { prompt: 'Again' } })).toMatchObject({
      ok: false,
      output: null,
      message: expect.stringContaining('refuses connections'),
    })
  })
})
