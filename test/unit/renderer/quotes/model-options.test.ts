import { describe, expect, test } from 'vitest'
import { ModelRoute } from '../../../../src/contract/catalog/models.schemas.ts'
import { Connection } from '../../../../src/contract/connections/connections.schemas.ts'
import { modelOptions } from '../../../../src/renderer/quotes/model-options.ts'

const rates = { input_microusd_per_million: '500000', output_microusd_per_million: '1500000' }

function route(changes: Partial<ModelRoute> = {}): ModelRoute {
  return ModelRoute.parse({
    route_id: 'vendor/large',
    title: 'Large',
    provider: 'vendor',
    model: 'large-1',
    kind: 'hosted',
    is_model: true,
    summary: 'A large model.',
    capabilities: ['chat'],
    rates,
    efforts: [],
    limits: { context_tokens: null, max_output_tokens: null, max_concurrency: 8, requests_per_minute: null, tokens_per_minute: null },
    availability: { status: 'ready', reasons: [] },
    ...changes,
  })
}

function connection(changes: Partial<Connection> = {}): Connection {
  return Connection.parse({
    id: '01900000-0000-7000-8000-00000000000c',
    kind: 'openai_compatible',
    protocol: 'openai_chat',
    probes: [],
    capabilities: ['chat'],
    name: 'Ours',
    base_url: 'http://127.0.0.1:8000/v1',
    model: 'tiny',
    streaming: false,
    has_api_key: false,
    header_names: [],
    ca_certificates: null,
    request_settings: {},
    limits: {},
    rates: null,
    efforts: [],
    status: 'ready',
    last_check: null,
    created_at: '2026-11-20T09:00:00.000Z',
    updated_at: '2026-11-20T09:00:00.000Z',
    ...changes,
  })
}

describe('what could answer', () => {
  test('says what it costs and where it is', () => {
    const [own, large] = modelOptions([route()], [connection({ rates })])
    expect(large?.summary).toBe('vendor, large-1, $0.50 in and $1.50 out per million tokens')
    expect(own?.summary).toContain('tiny at http://127.0.0.1:8000/v1')
    expect(own?.summary).toContain('billed by its provider')
  })

  test('marks baselines as not being models', () => {
    const [option] = modelOptions([route({ kind: 'baseline', is_model: false, summary: 'Repeats the prompt.' })], [])
    expect(option).toMatchObject({ group: 'Baselines: not a model', isModel: false, summary: 'Repeats the prompt.' })
  })

  test('lists what cannot be chosen last, with the reason', () => {
    const away = route({ route_id: 'away', availability: { status: 'unavailable', reasons: ['No key is stored.'] } })
    const options = modelOptions([away, route()], [connection({ status: 'unchecked' })])
    expect(options.map(({ value, reasons }) => [value, reasons.length > 0])).toEqual([
      ['managed:vendor/large', false],
      [`connection:${connection().id}`, true],
      ['managed:away', true],
    ])
    expect(options[1]?.reasons).toEqual(['Check the connection on the Models page first.'])
  })

  test('leaves out what was disabled', () => {
    expect(modelOptions([], [connection({ status: 'disabled' })])).toEqual([])
  })
})
