import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PickyServer, startPickyServer } from '../journeys/model-server/picky-server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let server: PickyServer
beforeAll(async () => {
  service = await startTestService()
  server = await startPickyServer(() => null)
})
afterAll(async () => {
  await service.close()
  await server.close()
})

const register = (request_settings: object, more = {}) =>
  service.client.call('createConnection', { body: { name: 'endpoint', base_url: server.baseUrl, model: 'm', request_settings, ...more } })
const refusal = (request_settings: object, more = {}) =>
  service.client.refusal('createConnection', {
    body: { name: 'endpoint', base_url: server.baseUrl, model: 'm', request_settings, ...more },
  })
const change = (connection_id: string, request_settings: object) =>
  service.client.call('updateConnection', { params: { connection_id }, body: { request_settings } })
const check = (connection_id: string) => service.client.call('checkConnection', { params: { connection_id } })

async function quoteOn(connectionId: string, execution = {}) {
  return quote(service.client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    execution,
  })
}

async function end(quoteId: string, name = 'a run') {
  const { id } = await submit(service.client, quoteId, name)
  return runToEnd(service.client, service.baseUrl, id)
}

const everything = {
  top_p: 0.9,
  top_k: 40,
  seed: 7,
  stop: ['END'],
  frequency_penalty: 0.5,
  chat_template_kwargs: { enable_thinking: false },
  response_format: { name: 'answer', schema: { type: 'object', properties: { n: { type: 'integer' } } } },
  system_as_user: true,
  extra_body: { provider: { order: ['a'] } },
}

test('sends every setting with every call, as the quote froze it and the results show it', async () => {
  const { id } = await check((await register(everything)).id)
  const made = await quoteOn(id)
  expect(made.model.request_settings).toMatchObject(everything)
  expect(made.compatibility.checks).toContainEqual(
    expect.objectContaining({ detail: expect.stringContaining('top_p 0.9, top_k 40, seed 7') }),
  )
  const before = server.seen.length
  const run = await end(made.id)
  for (const { body } of server.seen.slice(before)) {
    const { system_as_user: _, response_format: format, extra_body: extra, ...plain } = everything
    expect(body).toMatchObject({ ...plain, ...extra, stop: expect.arrayContaining(['END']) })
    expect(body['response_format']).toEqual({ type: 'json_schema', json_schema: { ...format, strict: true } })
    expect(JSON.stringify(body['messages'])).not.toContain('"system"')
  }
  expect(server.seen.length - before).toBe(2)
  const results = await service.client.call('getRunResults', { params: { run_id: run.id } })
  expect(results.reproducibility.model.request_settings).toEqual(made.model.request_settings)
  const html = await (await service.fetch(`/v1/runs/${run.id}/export?format=html`)).text()
  expect(html).toContain('top_p')
  expect(html).toContain('enable_thinking')
})

test('a run’s own top p and model seed are sent in place of the connection’s, named as changed, and are not the seed of the tasks', async () => {
  const { id } = await check((await register({ top_p: 0.25, top_k: 40 })).id)
  const made = await quoteOn(id, { top_p: 0.9, model_seed: 11 })
  expect(made.profiles[0]?.changed).toEqual(['top p 0.9', 'model seed 11'])
  expect(made.coverage.seed).toBe(1)
  const before = server.seen.length
  const run = await end(made.id)
  expect(server.seen.slice(before).map(({ body }) => [body['top_p'], body['seed'], body['top_k']])).toEqual([
    [0.9, 11, 40],
    [0.9, 11, 40],
  ])
  const results = await service.client.call('getRunResults', { params: { run_id: run.id } })
  expect(results.reproducibility.execution).toMatchObject({ top_p: 0.9, model_seed: 11 })
  const html = await (await service.fetch(`/v1/runs/${run.id}/export?format=html`)).text()
  expect(html).toContain('Model seed')
  const lmEval: unknown = await (await service.fetch(`/v1/runs/${run.id}/exports/lm_eval`)).json()
  expect(lmEval).toMatchObject({ config: { gen_kwargs: { top_p: 0.9, seed: 11 } } })
  // Null is as absent: the connection’s own.
  const own = await quoteOn(id, { top_p: null, model_seed: null })
  expect(own.profiles[0]).not.toHaveProperty('changed')
  expect(own.model.request_settings).toMatchObject({ top_p: 0.25, seed: null })
})

test('a model seed by a protocol that has none makes the quote incompatible, and says what to leave empty', async () => {
  const { id } = await register({}, { protocol: 'anthropic_messages' })
  const made = await quoteOn(id, { top_p: 0.9, model_seed: 11 })
  expect(made.compatibility.status).toBe('incompatible')
  const said = made.compatibility.checks.filter(({ status }) => status === 'fail').map(({ detail }) => detail)
  expect(said).toContain('endpoint takes no model seed by anthropic_messages. Leave it empty.')
  expect(said.join(' ')).not.toContain('top p')
})

test('runs with the settings of the quote after those of the connection were changed', async () => {
  const { id } = await check((await register({ top_p: 0.25 })).id)
  const made = await quoteOn(id)
  await change(id, { top_p: 0.75 })
  const before = server.seen.length
  await end(made.id)
  expect(server.seen.slice(before).map(({ body }) => body['top_p'])).toEqual([0.25, 0.25])
})

test('answers from the cache only under the same settings', async () => {
  const cached = { cache: true }
  const { id } = await check((await register({ seed: 1 })).id)
  await end((await quoteOn(id, cached)).id)
  const asked = server.seen.length
  await end((await quoteOn(id, cached)).id)
  expect(server.seen.length).toBe(asked)
  await change(id, { seed: 2 })
  await check(id)
  const checked = server.seen.length
  await end((await quoteOn(id, cached)).id)
  expect(server.seen.length - checked).toBe(2)
})

test('asks again once the cache was cleared, and keeps the answers of earlier runs', async () => {
  const { id } = await check((await register({ seed: 3 })).id)
  const first = await end((await quoteOn(id, { cache: true })).id)
  const { cache } = await service.client.call('getStorage', {})
  expect(cache).toEqual({ answers: expect.any(Number), oldest_at: expect.any(String) })
  expect(cache.answers).toBeGreaterThanOrEqual(2)
  expect((await service.client.call('clearCache', {})).cache).toEqual({ answers: 0, oldest_at: null })
  const asked = server.seen.length
  await end((await quoteOn(id, { cache: true })).id)
  expect(server.seen.length - asked).toBe(2)
  const { items } = await service.client.call('listSamples', { params: { run_id: first.id }, query: {} })
  expect(items.map(({ status }) => status)).toEqual(['scored', 'scored'])
})

test('names a difference of settings in a comparison', async () => {
  const { id } = await check((await register({ top_p: 0.5 })).id)
  const first = await end((await quoteOn(id)).id, 'narrow')
  await change(id, {})
  await check(id)
  const second = await end((await quoteOn(id)).id, 'wide')
  const made = await service.client.call('createComparison', {
    body: { name: 'both', run_ids: [first.id, second.id], baseline_id: first.id },
  })
  expect(JSON.stringify(made)).toContain('top_p 0.5 against the provider’s default')
})

describe('a connection is refused', () => {
  test.each<[string, object, string]>([
    ['a key that Assay sets itself', { extra_body: { messages: [], provider: {} } }, 'messages: the benchmark sets it'],
    ['a nested key that Assay sets itself', { extra_body: { options: { num_predict: 5 } } }, 'options.num_predict: set max output tokens'],
    ['a key that has a setting', { extra_body: { top_p: 1 } }, 'top_p: use the setting top_p'],
    [
      'two keys, both named',
      { extra_body: { n: 2, model: 'x' } },
      'n: one answer is read per call; set epochs of the quote instead; model: ',
    ],
    ['a top_p of 0', { top_p: 0 }, 'top_p'],
    ['an unknown setting', { topp: 1 }, 'topp'],
    [
      'what looks like a key',
      { extra_body: { token: 'sk-proj-abcdefghijklmnopqrstuvwxyz012345' } },
      'request settings are shown in results',
    ],
  ])('with %s', async (_name, settings, words) => {
    const refused = await refusal(settings)
    expect(refused).toMatchObject({ status: 422, code: 'validation_error' })
    expect(JSON.stringify(refused)).toContain(words)
  })

  test('with a setting that its protocol lacks', async () => {
    expect(await refusal({ seed: 1 }, { protocol: 'anthropic_messages' })).toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'request_settings', 'seed'] }],
    })
  })
})

test('refuses a quote whose effort and extra body contradict each other', async () => {
  const { id } = await check((await register({ extra_body: { thinking: { type: 'disabled' } } })).id)
  const made = await quoteOn(id, { effort: 'high' })
  expect(made.compatibility.status).toBe('incompatible')
  expect(JSON.stringify(made.compatibility.checks)).toContain('Remove one of them')
})

test('warns that epochs under one seed repeat an answer', async () => {
  const { id } = await check((await register({ seed: 3 })).id)
  expect((await quoteOn(id, { epochs: 2, temperature: 1 })).warnings.map(({ code }) => code)).toContain('epochs_with_one_seed')
})

test('takes marks for prompt caching where the model reads them, and refuses them elsewhere by its name', async () => {
  const marks = { prompt_cache: true }
  for (const model of ['gpt-5.6-sol', 'qwen3.7-max']) expect((await register(marks, { model })).request_settings).toMatchObject(marks)
  const refused = await refusal(marks, { model: 'gpt-5.5' })
  expect(JSON.stringify(refused)).toContain('gpt-5.5 by openai_chat takes no marks for prompt caching')
  const { id } = await register(marks, { model: 'gpt-5.6-sol' })
  const moved = await service.client.refusal('updateConnection', { params: { connection_id: id }, body: { model: 'gpt-4o' } })
  expect(JSON.stringify(moved)).toContain('gpt-4o by openai_chat takes no marks')
})
