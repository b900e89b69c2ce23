import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { braintrustIds, braintrustKey } from '../support/trace-providers/braintrust-server.ts'
import { backfill, connect, providers, readIntegration, secretsOf, startProvider, until } from '../support/trace-providers/connected.ts'
import { langfuseKeys } from '../support/trace-providers/langfuse-server.ts'
import { langsmithIds, langsmithKey, langsmithServer } from '../support/trace-providers/langsmith-server.ts'
import { fakeTraces, iso, type ScriptedServer } from '../support/trace-providers/scripted-server.ts'

const begin = Date.parse('2026-11-10T00:00:00Z')
const window = { from: iso(begin), to: iso(begin + 3_600_000) }
let service: TestService
const servers: ScriptedServer[] = []

beforeAll(async () => {
  service = await startTestService()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(() => service.close())

async function start(provider: (typeof providers)[number], count = 5) {
  const server = await startProvider(provider, fakeTraces(count, begin))
  servers.push(server)
  return server
}

describe('discovery', () => {
  test('lists the projects of a credential and stores nothing', async () => {
    const [a, b, c] = [await start('langfuse'), await start('langsmith'), await start('braintrust')]
    const before = await service.client.call('listTraceIntegrations', {})
    expect(await service.client.call('discoverProviderAProjects', { body: { host: a.url, ...langfuseKeys } })).toEqual({
      items: [{ id: 'proj-1', name: 'Support bot', kind: 'project', workspace: 'Acme' }],
      next_cursor: null,
    })
    expect(
      await service.client.call('discoverProviderBProjects', { body: { base_url: `${b.url}/api/v1/`, access_key: langsmithKey } }),
    ).toEqual({
      items: [{ id: `${langsmithIds.workspace}:${langsmithIds.project}`, name: 'Support bot', kind: 'project', workspace: 'Acme' }],
      next_cursor: null,
    })
    expect(await service.client.call('discoverProviderCProjects', { body: { base_url: c.url, access_key: braintrustKey } })).toEqual({
      items: [{ id: braintrustIds.project, name: 'Support bot', kind: 'project', workspace: 'Acme' }],
      next_cursor: null,
    })
    expect(await service.client.call('listTraceIntegrations', {})).toEqual(before)
  })

  test('refuses credentials on their field, with the provider’s words for people and without them for keys', async () => {
    const { url } = await start('langfuse')
    const body = { host: url, ...langfuseKeys, secret_key: 'sk-lf-wrong-0123456789' }
    const refusal = await service.client.refusal('discoverProviderAProjects', { body })
    expect(refusal).toMatchObject({ status: 422, detail: [{ loc: ['body', 'secret_key'], type: 'credential_refused' }] })
    expect(refusal.message).toContain('Confirm that')
    const forKey = await service.keyClient.refusal('discoverProviderAProjects', { body })
    expect(forKey.status).toBe(422)
    expect(forKey.message).not.toContain('Confirm that')
  })

  test('answers throttling and failures of the provider as such', async () => {
    const server = await start('braintrust')
    const body = { base_url: server.url, access_key: braintrustKey }
    server.intercept = () => ({ status: 429, body: 'Slow down', headers: { 'retry-after': '7' } })
    const reply = await service.fetch('/v1/traces/integrations/provider-c/projects', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(reply.status).toBe(429)
    expect(reply.headers.get('retry-after')).toBe('7')
    await reply.text()
    for (const reply of [
      { status: 500, body: 'x' },
      { status: 200, body: '<html>' },
      { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } },
    ]) {
      server.intercept = () => reply
      expect(await service.client.refusal('discoverProviderCProjects', { body })).toMatchObject({ status: 502, code: 'provider_error' })
    }
    await server.close()
    expect(await service.client.refusal('discoverProviderCProjects', { body })).toMatchObject({ status: 502, code: 'provider_error' })
  })

  test('obeys the address policy', async () => {
    const attempt = (client: TestService['client'], base_url: string, allow_private = false) =>
      client.refusal('discoverProviderCProjects', { body: { base_url, access_key: 'x', allow_private } })
    for (const url of [
      'http://169.254.169.254',
      'http://metadata.google.internal',
      'http://user:pw@127.0.0.1:1',
      'http://127.0.0.1:1/?a=b',
      service.baseUrl,
    ])
      expect(await attempt(service.client, url)).toMatchObject({ status: 422, detail: [{ loc: ['body', 'base_url'] }] })
    expect(await attempt(service.keyClient, 'http://10.0.0.1')).toMatchObject({ status: 403, code: 'human_approval_required' })
    expect(await attempt(service.keyClient, 'http://10.0.0.1', true)).toMatchObject({ status: 403, code: 'human_approval_required' })
    expect(await attempt(service.keyClient, 'http://example.com')).toMatchObject({ status: 403, code: 'human_approval_required' })
    expect(await attempt(service.client, 'http://10.0.0.1')).toMatchObject({ status: 422, detail: [{ type: 'address_refused' }] })
  })
})

describe.each(providers)('%s', provider => {
  test('connects once per project and shows the last characters of the secret alone', async () => {
    const { url } = await start(provider)
    const integration = await connect(service.client, provider, url)
    expect(integration).toMatchObject({
      status: 'connected',
      credential_hint: secretsOf[provider].slice(-4),
      backfill: null,
      name: 'Support bot',
    })
    expect(JSON.stringify(integration)).not.toContain(secretsOf[provider])
    await expect(connect(service.client, provider, url)).rejects.toMatchObject({ status: 409, code: 'conflict' })
    await service.client.call('disconnectTraceIntegration', { params: { integration_id: integration.id } })
    expect(await readIntegration(service.client, integration.id)).toMatchObject({ status: 'disconnected', credential_hint: null })
    expect(await connect(service.client, provider, url)).toMatchObject({ status: 'connected' })
  })

  test('backfills a window: spans, trees, messages, tokens and the provider’s scores', async () => {
    const { url } = await start(provider, 23)
    const { id } = await connect(service.client, provider, url)
    const { status, backfill: read } = await backfill(service.client, id, window)
    expect(status).toBe('connected')
    expect(read).toMatchObject({ traces: 23, spans: 69, new_traces: 23, new_spans: 69, retry_at: null, fraction: 1 })
    expect(read?.finished_at).not.toBeNull()
    const { items } = await service.client.call('listTraces', { query: { integration_id: id } })
    expect(items).toHaveLength(23)
    expect(items[0]).toMatchObject({
      source: provider,
      name: 'answer question',
      model: 'gpt-6',
      span_count: 3,
      input_tokens: 20,
      output_tokens: 10,
    })
    expect(items.filter(({ error_count }) => error_count > 0)).toHaveLength(2)
    const trace = await service.client.call('getTrace', { params: { trace_id: items[0]?.id ?? '' } })
    expect(trace.spans).toHaveLength(3)
    const [root, call] = trace.spans
    expect(root).toMatchObject({
      parent_span_id: null,
      input_messages: [{ content: 'What is 22 + 22?' }],
      output_messages: [{ content: 'It is 44.' }],
    })
    expect(call).toMatchObject({
      parent_span_id: root?.span_id,
      kind: 'llm',
      model: 'gpt-6',
      usage: { input_tokens: 10, output_tokens: 5 },
      input_messages: [{ role: 'user', content: 'What is 22 + 22?' }],
      output_messages: [{ role: 'assistant', content: 'It is 44.' }],
    })
    expect(trace.annotations).toMatchObject([{ name: 'helpful', value: 0.5, origin: 'provider' }])
    // Reading the same window again finds nothing new.
    expect((await backfill(service.client, id, window)).backfill).toMatchObject({ traces: 23, spans: 69, new_traces: 0, new_spans: 0 })
  })

  test('reads only roots, and at most the requested number of traces', async () => {
    const { url } = await start(provider, 40)
    const { id } = await connect(service.client, provider, url)
    expect((await backfill(service.client, id, { ...window, only_roots: true })).backfill).toMatchObject({ traces: 40, spans: 40 })
    const second = await start(provider, 40)
    const other = await connect(service.client, provider, second.url)
    const { backfill: read } = await backfill(service.client, other.id, { ...window, max_traces: 7 })
    expect(read).toMatchObject({ traces: 7, spans: 21, max_traces: 7 })
  })

  test('waits as long as the provider asks, and shows until when', async () => {
    const server = await start(provider)
    const { id } = await connect(service.client, provider, server.url)
    let throttled = 0
    server.intercept = () => (throttled++ < 1 ? { status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '1' } } : null)
    await service.client.call('backfillTraces', { params: { integration_id: id }, body: window })
    const waiting = await until(service.client, id, integration => integration.backfill?.retry_at !== null)
    expect(waiting.status).toBe('backfilling')
    expect((await until(service.client, id, ({ status }) => status === 'connected')).backfill).toMatchObject({ traces: 5, retry_at: null })
  })

  test('needs attention when the key is refused midway, and continues after a reconnection', async () => {
    const server = await start(provider, 5)
    const { id } = await connect(service.client, provider, server.url)
    // The first page passes where there are several.
    let asked = 0
    server.intercept = () => (provider === 'langsmith' && asked++ === 0 ? null : { status: 401, body: { message: 'Key revoked' } })
    await service.client.call('backfillTraces', { params: { integration_id: id }, body: window })
    const lost = await until(service.client, id, ({ status }) => status === 'attention')
    expect(lost.last_error).toMatchObject({ code: 'credential_refused' })
    expect(lost.last_error?.message).toContain('Key revoked')
    expect(await service.client.refusal('resumeTraceIntegration', { params: { integration_id: id } })).toMatchObject({
      code: 'illegal_transition',
    })
    const reconnect = () =>
      provider === 'langfuse'
        ? service.client.call('reconnectTraceIntegration', { params: { integration_id: id }, body: { host: server.url, ...langfuseKeys } })
        : service.client.call('reconnectWorkloadTraceIntegration', {
            params: { integration_id: id },
            body: { access_key: secretsOf[provider] },
          })
    await expect(reconnect()).rejects.toMatchObject({ status: 422 })
    server.intercept = () => null
    expect((await reconnect()).status).toBe('backfilling')
    const done = await until(service.client, id, ({ status }) => status === 'connected')
    expect(done).toMatchObject({ last_error: null, backfill: { new_traces: 5, new_spans: 15 } })
  })

  test('pauses, resumes and disconnects in the states that allow it', async () => {
    const server = await start(provider, 5)
    const { id } = await connect(service.client, provider, server.url)
    const params = { integration_id: id }
    server.intercept = () => ({ status: 429, body: {}, headers: { 'retry-after': '600' } })
    await service.client.call('backfillTraces', { params, body: window })
    await until(service.client, id, integration => Boolean(integration.backfill?.retry_at))
    expect(await service.client.refusal('backfillTraces', { params, body: window })).toMatchObject({ status: 409, code: 'conflict' })
    expect(await service.client.call('pauseTraceIntegration', { params })).toMatchObject({
      status: 'paused',
      backfill: { retry_at: null, finished_at: null },
    })
    expect(await service.client.refusal('pauseTraceIntegration', { params })).toMatchObject({ code: 'illegal_transition' })
    expect(await service.client.refusal('backfillTraces', { params, body: window })).toMatchObject({ code: 'illegal_transition' })
    server.intercept = () => null
    expect(await service.client.call('resumeTraceIntegration', { params })).toMatchObject({ status: 'backfilling' })
    expect((await until(service.client, id, ({ status }) => status === 'connected')).backfill).toMatchObject({ traces: 5 })
    await service.client.call('disconnectTraceIntegration', { params })
    await service.client.call('disconnectTraceIntegration', { params })
    for (const step of ['pauseTraceIntegration', 'resumeTraceIntegration'] as const)
      expect(await service.client.refusal(step, { params })).toMatchObject({ code: 'illegal_transition' })
    const { items } = await service.client.call('listTraces', { query: { integration_id: id } })
    expect(items).toHaveLength(5)
  })
})

test('windows are checked', async () => {
  const { url } = await start('langfuse')
  const { id } = await connect(service.client, 'langfuse', url)
  const params = { integration_id: id }
  for (const body of [
    { from: window.to, to: window.from },
    { from: '2020-01-01T00:00:00Z', to: window.to },
    { from: '2999-01-01T00:00:00Z' },
  ])
    expect(await service.client.refusal('backfillTraces', { params, body })).toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'from'] }],
    })
})

test('reconnecting refuses the other kind, another project and another address', async () => {
  const server = await start('braintrust')
  const { id } = await connect(service.client, 'braintrust', server.url)
  server.intercept = () => ({ status: 403, body: 'Forbidden' })
  await service.client.call('backfillTraces', { params: { integration_id: id }, body: window })
  await until(service.client, id, ({ status }) => status === 'attention')
  server.intercept = ({ path }) => (path.startsWith('/v1/project/') ? { status: 404, body: 'No such project' } : null)
  const params = { integration_id: id }
  expect(await service.client.refusal('reconnectTraceIntegration', { params, body: { host: server.url, ...langfuseKeys } })).toMatchObject({
    code: 'conflict',
  })
  const again = (body: { access_key: string; base_url?: string }) =>
    service.client.refusal('reconnectWorkloadTraceIntegration', { params, body })
  expect(await again({ access_key: braintrustKey })).toMatchObject({ code: 'conflict' })
  expect(await again({ access_key: braintrustKey, base_url: 'http://127.0.0.1:9/' })).toMatchObject({ code: 'conflict' })
  expect(await service.client.refusal('listTraceResources', { params, query: { kind: 'datasets' } })).toMatchObject({
    code: 'illegal_transition',
  })
  expect(await service.client.refusal('pauseTraceIntegration', { params: { integration_id: randomUUID() } })).toMatchObject({ status: 404 })
})

test('takes a new key while connected and while paused, and stays paused', async () => {
  const server = await start('langsmith')
  const { id } = await connect(service.client, 'langsmith', server.url)
  const params = { integration_id: id }
  const rotate = (key: string) => service.client.call('reconnectWorkloadTraceIntegration', { params, body: { access_key: key } })
  expect(await rotate(langsmithKey)).toMatchObject({ status: 'connected', last_error: null })
  await expect(rotate('lsv2_pt_wrong')).rejects.toMatchObject({ status: 422 })
  await service.client.call('pauseTraceIntegration', { params })
  expect(await rotate(langsmithKey)).toMatchObject({ status: 'paused' })
  await service.client.call('resumeTraceIntegration', { params })
  expect((await backfill(service.client, id, window)).backfill).toMatchObject({ traces: 5, spans: 15 })
  await service.client.call('disconnectTraceIntegration', { params })
  await expect(rotate(langsmithKey)).rejects.toMatchObject({ status: 409 })
})

test('rotates the key of a window that was paused midway, and reads the rest with it', async () => {
  const server = await start('braintrust')
  const { id } = await connect(service.client, 'braintrust', server.url)
  const params = { integration_id: id }
  server.intercept = () => ({ status: 429, body: {}, headers: { 'retry-after': '600' } })
  await service.client.call('backfillTraces', { params, body: window })
  await until(service.client, id, integration => Boolean(integration.backfill?.retry_at))
  await service.client.call('pauseTraceIntegration', { params })
  server.intercept = () => null
  const body = { access_key: braintrustKey }
  expect(await service.client.call('reconnectWorkloadTraceIntegration', { params, body })).toMatchObject({ status: 'paused' })
  expect(await service.client.call('resumeTraceIntegration', { params })).toMatchObject({ status: 'backfilling' })
  expect(await until(service.client, id, ({ status }) => status === 'connected')).toMatchObject({ backfill: { new_traces: 5 } })
})

test.each([
  ['an hour', 3_600_000, 6],
  ['three days', 3 * 86_400_000, 8],
])('reads LangSmith runs that begin %s after their root ended', async (_name, lateMs, requests) => {
  const [plain, late] = fakeTraces(2, begin)
  if (!plain || !late) throw new Error('Two traces are expected.')
  const server = await langsmithServer({ traces: [plain, { ...late, lateMs }], items: [] })
  servers.push(server)
  const { id } = await connect(service.client, 'langsmith', server.url)
  const before = server.requests.length
  expect((await backfill(service.client, id, window)).backfill).toMatchObject({ traces: 2, new_spans: 6 })
  expect(server.requests.length - before).toBeLessThanOrEqual(requests)
})
