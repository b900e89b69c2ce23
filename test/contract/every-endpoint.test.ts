import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import { type Endpoint, impliedErrors } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { errorCodes } from '../../src/contract/errors.ts'
import { commonScopes } from '../../src/contract/scopes.ts'
import { areaOf, areas } from '../../src/contract/tags.ts'
import { newToken, hashToken } from '../../src/service/auth/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { startTestService, type TestService } from '../support/service.ts'

const table: readonly (readonly [string, Endpoint])[] = Object.entries(api)
const guarded = table.filter(([, endpoint]) => endpoint.scope !== 'public')
const scoped = guarded.filter(([, endpoint]) => endpoint.scope !== 'principal')
let service: TestService
let powerless: string

beforeAll(async () => {
  service = await startTestService()
  powerless = newToken('asy_')
  const db = openDatabase(`${service.dataDir}/assay.db`)
  db.run(
    db.sql.insertInto('api_keys').values({
      id: randomUUID(),
      workspace_id: service.workspaceId,
      name: 'powerless',
      token_hash: hashToken(powerless),
      prefix: powerless.slice(0, 10),
      scopes: '[]',
      ceiling_microusd: null,
      created_at: new Date().toISOString(),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    }),
  )
  db.close()
})
afterAll(() => service.close())

test.each(table)('%s states no error code that its form implies, and no route', (_, endpoint) => {
  const implied: readonly string[] = impliedErrors(endpoint)
  expect((endpoint.errors ?? []).filter(code => implied.includes(code))).toEqual([])
  expect(endpoint).not.toHaveProperty('route')
})

function samplePath(endpoint: Endpoint): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'format') return 'junit'
    if (name === 'n') return '1'
    return name.endsWith('_id') ? randomUUID() : 'no-such-thing'
  })
  if (endpoint.path.endsWith('/resources')) return `${path}?kind=datasets`
  if (endpoint.path.endsWith('/diff')) return `${path}?against=${randomUUID()}`
  return endpoint.path === '/v1/catalog/tasks' ? `${path}?source_ref=eval://x/y/1` : path
}

async function ask(endpoint: Endpoint, headers: Record<string, string>, path = samplePath(endpoint), body?: string) {
  const withBody = body !== undefined || endpoint.body !== undefined || endpoint.kind === 'raw'
  const type = endpoint.kind === 'upload' ? 'multipart/form-data; boundary=x' : 'application/json'
  const reply = await fetch(service.baseUrl + path, {
    method: endpoint.method,
    headers: { ...headers, ...(withBody ? { 'content-type': type } : {}) },
    ...(withBody ? { body: body ?? '{}' } : {}),
  })
  const text = await reply.text()
  return { status: reply.status, text, headers: reply.headers }
}

function expectRefusal(reply: Awaited<ReturnType<typeof ask>>, status: number, code?: string) {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status })
  const body = ErrorBody.parse(JSON.parse(reply.text))
  expect(reply.headers.get('x-request-id')).toBe(body.error.request_id)
  expect(body.error.feedback).toMatchObject({ url: '/v1/feedback', method: 'POST', request_id: body.error.request_id })
  expect(Object.keys(errorCodes)).toContain(body.error.code)
  if (code) expect(body.error.code).toBe(code)
  return body
}

describe('the endpoint table', () => {
  test('declares each path and method once, with a summary and every path parameter', () => {
    const seen = table.map(([, e]) => `${e.method} ${e.path}`)
    expect(new Set(seen).size).toBe(seen.length)
    for (const [id, endpoint] of table) {
      const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
      expect({ id, params: Object.keys(endpoint.params?.shape ?? {}) }).toEqual({ id, params: names })
      expect(endpoint.summary.length).toBeGreaterThan(5)
    }
  })

  test('makes public only what must be', () => {
    expect(
      table
        .filter(([, e]) => e.scope === 'public')
        .map(([id]) => id)
        .sort(),
    ).toEqual(['getOpenApi', 'getPackageSchema', 'getRunConfigSchema', 'pair', 'proveIdentity'])
  })
})

describe.each(guarded)('%s', (_id, endpoint) => {
  test('requires credentials before any other check', async () => {
    expectRefusal(await ask(endpoint, {}), 401, 'unauthenticated')
    const refused = await ask(endpoint, { authorization: 'Bearer nonsense' })
    expectRefusal(refused, 401, 'unauthenticated')
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="assay"')
    expectRefusal(await ask(endpoint, { authorization: 'Basic abc' }), 401, 'unauthenticated')
    expectRefusal(
      await ask(endpoint, {}, `${samplePath(endpoint)}${samplePath(endpoint).includes('?') ? '&' : '?'}token=${powerless}`),
      401,
    )
  })
})

describe.each(scoped)('%s', (_id, endpoint) => {
  test('asks for the workspace and the scope', async () => {
    const { authorization = '' } = service.client.headers
    expectRefusal(await ask(endpoint, { authorization }), 401, 'unauthenticated')
    expectRefusal(await ask(endpoint, { authorization, 'x-workspace-id': randomUUID() }), 403, 'workspace_forbidden')
    // Feedback is for every key.
    if (commonScopes.some(scope => scope === endpoint.scope)) return
    expectRefusal(
      await ask(endpoint, { authorization: `Bearer ${powerless}`, 'x-workspace-id': service.workspaceId }),
      403,
      'missing_scope',
    )
  })

  test('answers unknown and malformed ids, bad bodies and bad versions as errors that say where', async () => {
    const headers = { ...service.client.headers }
    if (endpoint.kind === 'raw') {
      expectRefusal(await ask(endpoint, headers, samplePath(endpoint), '{"a":'), 400)
      expectRefusal(await ask(endpoint, { ...headers, 'content-encoding': 'br' }), 415, 'unsupported_media_type')
    }
    if (endpoint.params && !endpoint.body) {
      expectRefusal(await ask(endpoint, headers), 404, 'not_found')
      const malformed = await ask(endpoint, headers, endpoint.path.replaceAll(/\{\w+\}/g, 'not%20an%00id'))
      expect([404, 422]).toContain(malformed.status)
    }
    if (endpoint.body && endpoint.kind === 'json') {
      const refused = expectRefusal(await ask(endpoint, headers, samplePath(endpoint), '[1]'), 422)
      expect(refused.detail?.length).toBeGreaterThan(0)
      expectRefusal(await ask(endpoint, headers, samplePath(endpoint), '{"a":'), 400, 'malformed_json')
      expectRefusal(await ask(endpoint, headers, samplePath(endpoint), '['.repeat(1000) + ']'.repeat(1000)), 400, 'malformed_json')
      expectRefusal(await ask(endpoint, headers, samplePath(endpoint), '{"__proto__":{"polluted":1}}'), 400, 'malformed_json')
      expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted')
    }
    expectRefusal(await ask(endpoint, { ...headers, 'service-version': '2020-01-01' }), 400, 'unsupported_version')
  })

  test('refuses a query parameter that it does not know, and an empty cursor, by name', async () => {
    const path = samplePath(endpoint)
    const at = (query: string) => ask(endpoint, { ...service.client.headers }, `${path}${path.includes('?') ? '&' : '?'}${query}`)
    const unknown = expectRefusal(await at('no_such_parameter=1'), 422, 'validation_error')
    expect(unknown.detail?.map(({ msg }) => msg).join('\n')).toContain('"no_such_parameter"')
    if (!('cursor' in (endpoint.query?.shape ?? {}))) return
    const empty = expectRefusal(await at('cursor='), 422)
    expect(empty.detail?.[0]?.loc).toEqual(['query', 'cursor'])
  })
})

describe('every answer', () => {
  test('forbids sniffing, framing, caching and reading from elsewhere, and carries no CORS header', async () => {
    for (const path of ['/v1/health', '/v1/no-such-thing', '/v1/runs', '/']) {
      const reply = await service.fetch(path)
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
      expect(reply.headers.get('x-frame-options')).toBe('DENY')
      expect(reply.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect([...reply.headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([])
      await reply.text()
    }
  })

  test('keeps a request id that the client chose', async () => {
    const id = randomUUID()
    const reply = await fetch(`${service.baseUrl}/v1/health`, { headers: { 'x-request-id': id } })
    expect(reply.headers.get('x-request-id')).toBe(id)
    const other = await fetch(`${service.baseUrl}/v1/health`, { headers: { 'x-request-id': 'not an id' } })
    expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('to an unknown path is JSON for programs and the page for browsers', async () => {
    for (const accept of ['*/*', 'application/json, text/plain, */*', 'application/json']) {
      const reply = await service.fetch('/no-such-page', { headers: { accept } })
      expect({ accept, status: reply.status, code: ErrorBody.parse(await reply.json()).error.code }).toEqual({
        accept,
        status: 404,
        code: 'not_found',
      })
    }
  })

  test('of the API reference has every operation in plain HTML, without a script', async () => {
    const list = await (await service.fetch('/docs')).text()
    expect(list).not.toContain('<script')
    for (const [id, { method, path, tag }] of table) {
      expect(list).toContain(`/docs/areas/${areaOf(tag)}#${id}`)
      expect(list).toContain(`${method} ${path}`)
    }
    for (const area of areas) {
      const reply = await service.fetch(`/docs/areas/${area}`)
      const html = await reply.text()
      expect({ area, status: reply.status, script: html.includes('<script') }).toEqual({ area, status: 200, script: false })
      for (const [id, { tag }] of table) if (areaOf(tag) === area) expect(html).toContain(`<section id="${id}">`)
    }
    expect((await service.fetch('/docs/areas/no-such')).status).toBe(404)
  })

  test('longer than 1 kB is compressed for clients that take gzip, and for no other', async () => {
    const encodingOf = async (path: string, acceptEncoding: string) => {
      const reply = await service.fetch(path, { headers: { ...service.client.headers, 'accept-encoding': acceptEncoding } })
      expect(reply.status).toBe(200)
      JSON.parse(await reply.text())
      return reply.headers.get('content-encoding')
    }
    for (const path of ['/v1/catalog/benchmarks', '/v1/openapi.json', '/v1/openapi.json?area=runs']) {
      expect(await encodingOf(path, 'gzip')).toBe('gzip')
      expect(await encodingOf(path, 'deflate, gzip;q=0.5, br')).toBe('gzip')
      for (const other of ['identity', 'gzip;q=0', '*', 'br']) expect(await encodingOf(path, other)).toBeNull()
    }
    expect(await encodingOf('/v1/health', 'gzip')).toBeNull()
  })

  test('to a key in quotes is that of the same key without', async () => {
    const body = JSON.stringify({ name: 'once' })
    const create = async (key: string) => {
      const headers = { ...service.client.headers, 'content-type': 'application/json', 'idempotency-key': key }
      const reply = await fetch(`${service.baseUrl}/v1/datasets`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...(JSON.parse(body) as object), task: 'answer' }),
      })
      return { status: reply.status, text: await reply.text(), replayed: reply.headers.get('idempotency-replayed') }
    }
    const first = await create('one-key')
    expect(first).toMatchObject({ status: 201, replayed: null })
    expect(await create('"one-key"')).toEqual({ ...first, replayed: 'true' })
  })

  test('to a connection without an address names both shapes, and every kind where its own is unknown', async () => {
    const post = async (body: object) => {
      const headers = { ...service.client.headers, 'content-type': 'application/json' }
      const reply = await fetch(`${service.baseUrl}/v1/connections`, { method: 'POST', headers, body: JSON.stringify(body) })
      return ErrorBody.parse(await reply.json())
    }
    const nothing = await post({ name: 'x' })
    expect(nothing.detail?.map(({ msg }) => msg).join('\n')).toContain('"agent_card_url"')
    const unknown = await post({ name: 'x', kind: 'magic' })
    expect(unknown.detail).toEqual([
      { loc: ['body', 'kind'], msg: 'must be one of "openai_compatible", "agent_to_agent", not "magic"', type: 'invalid_value' },
    ])
  })

  test('to an unknown path or method says so', async () => {
    const unknown = await service.fetch('/v1/no-such-thing')
    expect(ErrorBody.parse(await unknown.json()).error.code).toBe('not_found')
    const method = await service.fetch('/v1/quotes', { method: 'PUT' })
    expect(method.status).toBe(405)
    expect(method.headers.get('allow')).toBe('POST')
    await method.text()
  })
})
