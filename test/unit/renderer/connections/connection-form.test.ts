import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../../src/contract/client.ts'
import type { Connection } from '../../../../src/contract/connections/connections.schemas.ts'
import { noRequestSettings } from '../../../../src/contract/connections/request-settings.schemas.ts'
import {
  clearsSecret,
  type ConnectionForm,
  copyOf,
  emptyForm,
  formOf,
  otherKeyHolders,
  readLook,
  readNew,
  readUpdate,
  refusedFields,
  typedPartRates,
} from '../../../../src/renderer/connections/connection-form.ts'

const filled: ConnectionForm = { ...emptyForm, name: 'Local', base_url: ' http://127.0.0.1:8000/v1 ', model: 'tiny' }

const stored: Connection = {
  id: '01900000-0000-7000-8000-000000000000',
  kind: 'openai_compatible',
  protocol: 'openai_chat',
  probes: [],
  capabilities: ['chat'],
  efforts: [],
  name: 'Local',
  base_url: 'https://one.example/v1',
  model: 'tiny',
  streaming: true,
  has_api_key: true,
  header_names: ['x-team'],
  limits: {
    max_concurrency: 4,
    requests_per_minute: 60,
    tokens_per_minute: null,
    on_throttle: 'fail_fast',
    attempt_timeout_ms: 90_000,
    context_tokens: 8192,
    max_output_tokens: null,
  },
  request_settings: noRequestSettings,
  ca_certificates: null,
  rates: { input_microusd_per_million: '2500000', output_microusd_per_million: '10000000' },
  status: 'ready',
  last_check: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
}

describe('a new connection', () => {
  test('is read as the contract wants it', () => {
    const read = readNew({ ...filled, input_dollars: '2.50', output_dollars: '10', headers: [{ key: '1', name: 'x-team', value: 'red' }] })
    expect(read).toEqual({
      body: {
        kind: 'openai_compatible',
        ca_certificates: null,
        request_settings: noRequestSettings,
        protocol: 'openai_chat',
        probes: [],
        name: 'Local',
        base_url: 'http://127.0.0.1:8000/v1',
        model: 'tiny',
        streaming: false,
        headers: { 'x-team': 'red' },
        limits: {
          max_concurrency: 16,
          requests_per_minute: null,
          tokens_per_minute: null,
          on_throttle: 'adapt',
          attempt_timeout_ms: 120_000,
          context_tokens: null,
          max_output_tokens: null,
        },
        rates: { input_microusd_per_million: '2500000', output_microusd_per_million: '10000000' },
      },
    })
  })

  test('says by field what is missing or wrong, in plain words', () => {
    const read = readNew({
      ...emptyForm,
      base_url: 'localhost:8000',
      input_dollars: 'two',
      max_concurrency: '',
      headers: [{ key: '1', name: 'a b', value: '' }],
    })
    expect(read).toEqual({
      errors: {
        name: 'Give a value',
        base_url: 'Must be an http or https address such as http://127.0.0.1:8000/v1',
        model: 'Give a value',
        max_concurrency: 'Give a number',
        headers: 'a b: a name has letters, digits and dashes; a value is printable ASCII',
        input_dollars: 'Enter both rates, such as 2.50, or leave both empty',
        output_dollars: 'Enter both rates, such as 2.50, or leave both empty',
      },
    })
  })
})

describe('a new agent', () => {
  test('has the rates that were typed, as a copy has those of the first', () => {
    const agent: ConnectionForm = {
      ...filled,
      protocol: 'agent_to_agent',
      base_url: 'https://agent.example/card',
      input_dollars: '1',
      output_dollars: '2',
    }
    const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '2000000' }
    expect(readNew(agent)).toMatchObject({ body: { kind: 'agent_to_agent', rates } })
    expect(readNew(copyOf({ ...stored, kind: 'agent_to_agent', protocol: 'agent_to_agent' }))).toMatchObject({
      body: { rates: stored.rates },
    })
  })
})

describe('rates of kinds of tokens', () => {
  test('are read where they are typed, and survive a change of something else', () => {
    const read = readNew({ ...filled, input_dollars: '2.50', output_dollars: '10', cached_input_dollars: '0.25', reasoning_dollars: '12' })
    expect(read).toMatchObject({
      body: {
        rates: {
          input_microusd_per_million: '2500000',
          output_microusd_per_million: '10000000',
          cached_input_microusd_per_million: '250000',
          reasoning_microusd_per_million: '12000000',
        },
      },
    })
    expect(typedPartRates({ cached_input_microusd_per_million: '250000' })).toMatchObject({
      cached_input_dollars: '0.25',
      reasoning_dollars: '',
    })
  })

  test('are refused at their own field', () => {
    const read = readNew({ ...filled, input_dollars: '2.50', output_dollars: '10', cache_write_dollars: 'much' })
    expect(read).toEqual({ errors: { cache_write_dollars: 'Enter an amount, such as 0.25, or leave it empty' } })
  })
})

describe('a copy of a stored connection', () => {
  test('is a new connection with the same settings, another name and no secrets', () => {
    const read = readNew(copyOf(stored))
    expect(read).toMatchObject({ body: { name: 'Local (copy)', base_url: stored.base_url, model: stored.model, rates: stored.rates } })
    expect('body' in read && Object.keys(read.body)).not.toEqual(expect.arrayContaining(['api_key']))
  })

  test('names the connection whose key it has, on the same host only', () => {
    const keyed = { ...stored, has_api_key: true }
    expect(readNew(copyOf(keyed), keyed)).toMatchObject({ body: { credentials_from: keyed.id } })
    const changes = [
      [{}, []],
      [{ api_key: 'sk-typed' }, ['api_key']],
      [{ forget_key: true }, ['api_key']],
      [{ replace_headers: true }, ['headers']],
    ] as const
    for (const [change, named] of changes) {
      const read = readNew({ ...copyOf(keyed), ...change }, keyed)
      expect('body' in read && Object.keys(read.body).filter(field => ['api_key', 'headers'].includes(field))).toEqual(named)
    }
    expect(
      otherKeyHolders(keyed, [keyed, { ...keyed, id: 'copy', name: 'Copy' }, { ...keyed, id: 'keyless', has_api_key: false }]),
    ).toEqual(['Copy'])
    const without = [
      readNew(copyOf(keyed)),
      readNew({ ...copyOf(keyed), base_url: 'https://elsewhere.example/v1' }, keyed),
      readNew(copyOf(stored), { ...stored, has_api_key: false, header_names: [] }),
    ]
    for (const read of without) expect('body' in read && 'credentials_from' in read.body).toBe(false)
  })
})

describe('a change of a stored connection', () => {
  test('keeps the secrets that were not touched', () => {
    const read = readUpdate(formOf(stored))
    expect(read).toMatchObject({
      body: { name: 'Local', limits: { on_throttle: 'fail_fast', attempt_timeout_ms: 90_000, context_tokens: 8192 }, rates: stored.rates },
    })
    expect('body' in read && Object.keys(read.body)).not.toEqual(expect.arrayContaining(['api_key']))
    expect('body' in read && Object.keys(read.body)).not.toEqual(expect.arrayContaining(['headers']))
  })

  test('replaces or forgets the key when asked to', () => {
    expect(readUpdate({ ...formOf(stored), api_key: 'new-key' })).toMatchObject({ body: { api_key: 'new-key' } })
    expect(readUpdate({ ...formOf(stored), api_key: '', forget_key: true })).toMatchObject({ body: { api_key: null } })
  })

  test('warns before the key is lost to another origin, and only then', () => {
    expect(clearsSecret(formOf(stored), stored)).toBe(false)
    expect(clearsSecret({ ...formOf(stored), base_url: 'https://one.example/v2' }, stored)).toBe(false)
    expect(clearsSecret({ ...formOf(stored), base_url: 'https://two.example/v1' }, stored)).toBe(true)
    expect(clearsSecret({ ...formOf(stored), base_url: 'http://one.example/v1' }, stored)).toBe(true)
    expect(
      clearsSecret({ ...formOf(stored), base_url: 'https://two.example/v1' }, { ...stored, has_api_key: false, header_names: [] }),
    ).toBe(false)
  })
})

describe('what the service refuses', () => {
  test('is shown at its field', () => {
    const error = new ServiceError(422, 'validation_error', 'refused', null, [
      { loc: ['body', 'base_url'], msg: 'Assay never calls it.', type: 'address_refused' },
      { loc: ['body', 'limits', 'attempt_timeout_ms'], msg: 'too long', type: 'value_error' },
    ])
    expect(refusedFields(error)).toEqual({ base_url: 'Assay never calls it.', attempt_timeout_s: 'too long' })
  })

  test('is nothing for another error', () => {
    expect(refusedFields(new Error('broken'))).toEqual({})
  })
})

describe('request settings', () => {
  test('are read from what was typed, and typed again as they are stored', () => {
    const typed = {
      ...filled,
      top_p: 0.9,
      stop: 'END\n\nSTOP',
      extra_body: '{"provider": {"order": ["a"]}}',
      response_schema: '{"type": "object"}',
    }
    const read = readNew(typed)
    if ('errors' in read || read.body.kind === 'agent_to_agent') throw new Error('The form was refused.')
    const { request_settings: settings } = read.body
    expect(settings).toMatchObject({
      top_p: 0.9,
      stop: ['END', 'STOP'],
      extra_body: { provider: { order: ['a'] } },
      response_format: { name: 'answer', schema: { type: 'object' } },
    })
    const again = readUpdate(formOf({ ...stored, request_settings: settings }))
    expect('body' in again && again.body.request_settings).toEqual(settings)
  })

  test.each([
    ['extra_body', '{"a": ', 'JSON object'],
    ['extra_body', '{"messages": []}', 'messages: the benchmark sets it'],
    ['chat_template_kwargs', '[1]', 'JSON object'],
    ['response_schema', 'yes', 'JSON object'],
    ['top_p', 2, '1'],
  ])('of %s as %s are refused at their field', (field, value, words) => {
    const read = readNew({ ...filled, [field]: value })
    expect('errors' in read && read.errors).toEqual({ [field]: expect.stringContaining(words) })
  })

  test('that the service refuses are marked at their field', () => {
    const error = new ServiceError(422, 'validation_error', 'refused', null, [
      { loc: ['body', 'request_settings', 'seed'], msg: 'no such setting', type: 'not_in_protocol' },
    ])
    expect(refusedFields(error)).toEqual({ seed: 'no such setting' })
  })
})

test('models are listed with the key and headers that saving would leave', () => {
  const form = formOf(stored)
  for (const change of [
    {},
    { api_key: 'sk-new' },
    { forget_key: true },
    { replace_headers: true },
    { forget_key: true, replace_headers: true, headers: [{ key: '1', name: 'x-other', value: 'more' }] },
  ]) {
    const [look, update] = [readLook({ ...form, ...change }, stored), readUpdate({ ...form, ...change })]
    if (!('body' in look && 'body' in update)) throw new Error('The form is complete.')
    expect(look.body.connection_id).toBe(stored.id)
    expect([look.body.api_key, look.body.headers]).toEqual([update.body.api_key, update.body.headers])
  }
})
