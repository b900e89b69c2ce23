import { describe, expect, test } from 'vitest'
import { Connection, ConnectionCheck, StandardConnectionBody } from '../../../../src/contract/connections/connections.schemas.ts'
import { noRequestSettings } from '../../../../src/contract/connections/request-settings.schemas.ts'
import { connectionBody, type EndpointConnection, type OtherModel, otherModels } from '../../../../src/renderer/connections/other-models.ts'
import { addInTurn } from '../../../../src/renderer/connections/use-add-models.ts'

const first: EndpointConnection = {
  ...Connection.parse({
    id: '01900000-0000-7000-8000-000000000001',
    kind: 'openai_compatible',
    protocol: 'openai_chat',
    probes: ['tools'],
    capabilities: ['chat', 'tools'],
    efforts: [],
    name: 'First',
    base_url: 'https://one.example/v1',
    model: 'large',
    streaming: true,
    has_api_key: true,
    header_names: [],
    limits: { max_concurrency: 4, requests_per_minute: 60, context_tokens: 8192, max_output_tokens: 1000 },
    request_settings: { ...noRequestSettings, top_p: 0.9 },
    ca_certificates: null,
    rates: { input_microusd_per_million: '2500000', output_microusd_per_million: '10000000' },
    status: 'ready',
    last_check: null,
    created_at: '2026-11-20T09:30:00.000Z',
    updated_at: '2026-11-20T09:30:00.000Z',
  }),
  protocol: 'openai_chat',
}
const refused = ConnectionCheck.parse({
  checked_at: '2026-11-20T09:30:00.000Z',
  ok: false,
  code: 'credential_refused',
  message: 'API key rejected',
  latency_ms: null,
  streaming: null,
  reports_usage: null,
})
const listed = ['large', 'small', 'small', 'tiny'].map(model => ({ model, context_tokens: null }))

test('another model has the key and settings of the first, and neither its rates nor its limits of tokens', () => {
  const body = connectionBody({ model: 'small', context_tokens: 32_768 }, first, ['large'])
  expect(StandardConnectionBody.parse(body)).toEqual(body)
  expect(body).toMatchObject({
    credentials_from: first.id,
    name: 'small',
    model: 'small',
    base_url: first.base_url,
    streaming: true,
    probes: ['tools'],
    request_settings: { top_p: 0.9 },
    rates: null,
    limits: { max_concurrency: 4, requests_per_minute: 60, context_tokens: 32_768, max_output_tokens: null },
  })
})

test('another model is told apart by name, and a context length that no connection may state is left out', () => {
  const body = connectionBody({ model: 'small', context_tokens: 1e12 }, first, ['First', 'small'])
  expect(StandardConnectionBody.parse(body)).toMatchObject({ name: 'small · First', limits: { context_tokens: null } })
  expect(connectionBody({ model: 'm'.repeat(199) + '🔑', context_tokens: null }, first, []).name.isWellFormed()).toBe(true)
})

test('a listed model is met once, with the connection that sends the same to the same endpoint', () => {
  const small = { ...first, model: 'small', name: 'Small' }
  const unlike: readonly Partial<Connection>[] = [
    { base_url: 'https://two.example/v1' },
    { protocol: 'ollama' },
    { streaming: false },
    { request_settings: noRequestSettings },
    { has_api_key: false },
    { header_names: ['X-Team'] },
    { probes: [] },
    { ca_certificates: 'another authority' },
    { status: 'disabled' },
    { status: 'failing', last_check: refused },
  ]
  const others = unlike.map((change, n) => ({ ...small, ...change, id: `other-${n}` }))
  expect(otherModels(first, listed, [first, ...others], []).map(({ model, connection }) => [model, connection])).toEqual([
    ['small', null],
    ['tiny', null],
  ])
  const failing = { ...small, id: 'failing', status: 'failing' as const }
  const found = (connections: readonly Connection[], made: readonly string[] = []) =>
    otherModels(first, listed, connections, made)[0]?.connection?.id
  expect(found([...others, failing])).toBe('failing')
  expect(found([failing, { ...small, id: 'ready' }])).toBe('ready')
  // Made from the first one: its key is the same, so that another connection would be refused as well.
  expect(found([{ ...failing, last_check: refused }], ['failing'])).toBe('failing')
})

describe('adding models in turn', () => {
  const models: readonly OtherModel[] = ['small', 'tiny'].map(model => ({ model, context_tokens: null, connection: null }))
  /** @param stopAt the step during which it is stopped */
  const add = async (stopAt: string | null) => {
    const steps: string[] = []
    const step = (name: string, status: Connection['status']) => {
      steps.push(name)
      return Promise.resolve({ ...first, id: name.split(' ').at(-1) ?? '', status })
    }
    const failed = await addInTurn(models, {
      create: ({ model }) => step(`create ${model}`, 'unchecked'),
      check: ({ id }) => step(`check ${id}`, id === 'tiny' ? 'failing' : 'ready'),
      isStopped: () => stopAt !== null && steps.includes(stopAt),
      onStart: () => {},
      onReady: id => steps.push(`ready ${id}`),
    })
    return { steps, failed: failed.map(({ model }) => model) }
  }

  test('names those that cannot be used', async () => {
    const steps = ['create small', 'check small', 'ready small', 'create tiny', 'check tiny']
    expect(await add(null)).toEqual({ steps, failed: ['tiny'] })
  })

  test('checks and chooses nothing more once it is stopped', async () => {
    expect(await add('create small')).toEqual({ steps: ['create small'], failed: [] })
    expect(await add('check small')).toEqual({ steps: ['create small', 'check small'], failed: [] })
  })
})
