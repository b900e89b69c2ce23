import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import { fillPath } from '../../src/contract/client.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { commonScopes, scopes } from '../../src/contract/scopes.ts'
import { installErrorHandler } from '../../src/service/http/errors.ts'
import { clientFor, startTestService, temporaryFolder, type TestClient, type TestService } from '../support/service.ts'

/** Rules of who gets in that no other test holds; decisions/tables/0021-who-gets-in.md says which test holds which. */
const operations = Object.values<Endpoint>(api)
let service: TestService
let reader: TestClient

beforeAll(async () => {
  const rendererDir = temporaryFolder()
  mkdirSync(join(rendererDir.path, 'assets'))
  writeFileSync(join(rendererDir.path, 'index.html'), '<!doctype html>')
  service = await startTestService({ rendererDir: rendererDir.path })
  const readable = scopes.filter(scope => scope.endsWith(':read'))
  const { key } = await service.client.call('createApiKey', { body: { name: 'reader', scopes: readable } })
  reader = clientFor(service.baseUrl, key, service.workspaceId)
})
afterAll(() => service.close())

const somewhere = ({ path, params }: Endpoint) =>
  fillPath(path, Object.fromEntries(Object.keys(params?.shape ?? {}).map(name => [name, crypto.randomUUID()])))

async function ask(endpoint: Endpoint, headers: Readonly<Record<string, string>>) {
  const reply = await fetch(service.baseUrl + somewhere(endpoint), { method: endpoint.method, headers })
  return { reply, text: await reply.text() }
}

describe('every operation', () => {
  test.each(operations.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s lets no other page read, frame or sniff its answers, with and without credentials',
    async (_name, endpoint) => {
      for (const headers of [{}, service.keyClient.headers]) {
        const { reply } = await ask(endpoint, headers)
        expect([...reply.headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([])
        expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
        expect(Object.fromEntries(reply.headers)).toMatchObject({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        })
      }
    },
  )

  test.each(
    operations.filter(({ scope }) => scope.endsWith(':write')).map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('%s is refused to a key that may only read', async (_name, endpoint) => {
    // Whoever meets a fault may report it.
    if (commonScopes.some(scope => scope === endpoint.scope)) return
    const { reply, text } = await ask(endpoint, reader.headers)
    expect({ status: reply.status, code: ErrorBody.parse(JSON.parse(text)).error.code }).toEqual({ status: 403, code: 'missing_scope' })
  })
})

test('the scopes of a key cannot be changed', async () => {
  const { id } = await service.client.call('createApiKey', { body: { name: 'narrow', scopes: ['runs:read'] } })
  const reply = await service.fetch(`/v1/api-keys/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ceiling_microusd: null, scopes: [...scopes] }),
  })
  expect(reply.status).toBe(422)
  await reply.text()
})

test.each([
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cwindows%5cwin.ini',
  '%252e%252e%252fetc%252fpasswd',
  'a%00.db',
  '%2fetc%2fpasswd',
  'x'.repeat(10_000),
])('an id that looks like a path reads no file: %s', async id => {
  for (const path of [
    `/v1/runs/${id}`,
    `/v1/runs/${id}/export?format=json`,
    `/v1/catalog/benchmarks/${id}`,
    `/assets/${id}`,
    `/docs/${id}`,
  ]) {
    const reply = await service.fetch(path)
    const text = await reply.text()
    expect([400, 404, 414, 422]).toContain(reply.status)
    expect(text).not.toMatch(/root:|\[fonts\]/)
  }
})

test('hashes of tokens are compared in constant time, and nowhere else', () => {
  const source = (name: string) => readFileSync(new URL(`../../src/service/auth/${name}`, import.meta.url), 'utf8')
  expect(source('tokens.ts')).toContain('timingSafeEqual(')
  const store = source('auth.store.ts')
  expect(store.match(/!sameHash\(row\.token_hash, tokenHash\)/g)).toHaveLength(2)
  expect(store).not.toMatch(/token_hash\s*[!=]==/)
})

test('an unexpected failure discloses only its request id', async () => {
  const app = Fastify({ genReqId: () => crypto.randomUUID() })
  installErrorHandler(app, { note: () => null }, { refuse: () => Promise.resolve() })
  const secret = 'SELECT token FROM sessions at /home/someone/assay.db'
  app.get('/', () => {
    throw new TypeError(secret)
  })
  const reply = await app.inject({ method: 'GET', url: '/' })
  const { error } = ErrorBody.parse(reply.json())
  expect(reply.statusCode).toBe(500)
  expect(error.code).toBe('internal_error')
  expect(reply.body).not.toMatch(/SELECT|home|TypeError|at /)
  await app.close()
})

test.each([
  ['GET', '/assets//x'],
  ['GET', '/assets/%00'],
  ['GET', '/docs/areas/%00'],
  ['GET', '/docs/areas//etc/passwd'],
  ['GET', '/%'],
  ['GET', '/v1/runs/%zz'],
  ['QUERY', '/v1/runs'],
  ['QUERY', '/x'],
  ['SEARCH', '/docs'],
])('%s %s without credentials is refused as what it is, not a fault of ours', async (method, path) => {
  const { status, body } = await raw(method, path)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(ErrorBody.parse(JSON.parse(body)).error.message).not.toContain('/home')
})

test('the API reference sends no form anywhere and takes no style from its markup', async () => {
  for (const path of ['/docs', '/docs/areas/runs', '/docs/feedback']) {
    const reply = await service.fetch(path, { headers: { accept: 'text/html' } })
    await reply.text()
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("form-action 'none'")
    expect(policy).not.toContain('unsafe-inline')
  }
})

/** As sent: fetch would tidy the path. */
function raw(method: string, path: string): Promise<{ status: number; body: string }> {
  const { hostname: host, port } = new URL(service.baseUrl)
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, method, path }, reply => {
      let body = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}
