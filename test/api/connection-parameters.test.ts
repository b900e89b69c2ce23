import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Refusal, type SeenRequest, startPickyServer, unsupported } from '../journeys/model-server/picky-server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function pickyServer(refuse: (request: SeenRequest) => Refusal | null, answer?: () => string) {
  const server = await startPickyServer(refuse, answer)
  onTestFinished(() => server.close())
  return server
}

const register = (base_url: string, more = {}) =>
  service.client.call('createConnection', { body: { name: 'endpoint', base_url, model: 'm', ...more } })
const check = (id: string) => service.client.call('checkConnection', { params: { connection_id: id } })
const isSystem = (message: unknown) => JSON.stringify(message).includes('"role":"system"')

/** A run of two tasks on the connection. */
async function run(connectionId: string, execution = {}) {
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const made = await quote(service.client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 2, seed: 1 },
    execution,
  })
  const { id } = await submit(service.client, made.id)
  return { quote: made, run: await runToEnd(service.client, service.baseUrl, id) }
}

const learned = { output_limit: 'max_tokens', system_role: true, temperature: true, seed: true, streaming: null, stream_usage: null }

describe('a check', () => {
  test('learns in one request what an endpoint takes that takes everything', async () => {
    const server = await pickyServer(() => null)
    const checked = await check((await register(server.baseUrl)).id)
    expect(checked.last_check?.parameters).toEqual(learned)
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]?.body).toMatchObject({ temperature: 0, seed: 1 })
    expect(server.seen[0]?.body['max_tokens']).toBeGreaterThan(200)
  })

  test.each<[string, object, (request: SeenRequest) => Refusal | null]>([
    [
      'max_tokens',
      { output_limit: 'max_completion_tokens' },
      ({ body }) =>
        'max_tokens' in body
          ? unsupported(
              'max_tokens',
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            )
          : null,
    ],
    ['temperature', { temperature: false }, ({ body }) => ('temperature' in body ? unsupported('temperature') : null)],
    [
      'seed',
      { seed: false },
      ({ body }) => ('seed' in body ? { status: 422, body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'] }] } } : null),
    ],
    [
      'the system role',
      { system_role: false },
      ({ body }) => (isSystem(body['messages']) ? { status: 400, body: { message: 'System role not supported', code: 400 } } : null),
    ],
    [
      'the system role in its template',
      { system_role: false },
      ({ body }) =>
        isSystem(body['messages']) ? { status: 500, body: { error: { message: 'raise_exception("System role not supported")' } } } : null,
    ],
    [
      'temperatures at every provider behind it',
      { temperature: false },
      ({ body }) =>
        'temperature' in body
          ? { status: 404, body: { error: { code: 404, message: 'No endpoints found that can handle the requested parameters.' } } }
          : null,
    ],
    [
      'several at once',
      { temperature: false, seed: false },
      ({ body }) => ('temperature' in body ? unsupported('temperature') : 'seed' in body ? unsupported('seed') : null),
    ],
    [
      'a parameter that it does not name',
      { temperature: false },
      ({ body }) => ('temperature' in body ? { status: 400, body: { error: 'Bad request' } } : null),
    ],
  ])('learns that an endpoint refuses %s, and the run sends none of it', async (_name, found, refuse) => {
    const server = await pickyServer(refuse)
    const { id } = await register(server.baseUrl)
    const checked = await check(id)
    expect(checked).toMatchObject({ status: 'ready', last_check: { parameters: { ...learned, ...found } } })
    const ran = await run(id)
    expect(ran.quote.model.parameters).toEqual({ ...learned, ...found })
    expect(ran.run).toMatchObject({ status: 'complete', progress: { failed: 0 } })
  })

  test('reads a stream without counts where stream_options are refused', async () => {
    const server = await pickyServer(({ body }) =>
      'stream_options' in body ? { status: 422, body: { message: 'stream_options: Extra inputs are not permitted' } } : null,
    )
    const checked = await check((await register(server.baseUrl, { streaming: true })).id)
    expect(checked.last_check?.parameters).toMatchObject({ streaming: true, stream_usage: false })
  })

  test('asks for whole answers where streams are refused', async () => {
    const server = await pickyServer(({ body }) =>
      'stream' in body ? { status: 400, body: { error: { message: 'Streaming is not supported' } } } : null,
    )
    const checked = await check((await register(server.baseUrl, { streaming: true })).id)
    expect(checked.last_check).toMatchObject({ ok: true, streaming: false, parameters: { streaming: false } })
    expect((await run(checked.id)).run.status).toBe('complete')
  })

  test('takes a limit that is too high for the right one', async () => {
    const server = await pickyServer(({ body }) =>
      Number(body['max_tokens']) > 100 ? { status: 400, body: { error: { message: 'max_tokens is too large: at most 100.' } } } : null,
    )
    expect((await check((await register(server.baseUrl)).id)).last_check).toMatchObject({ ok: true, parameters: learned })
  })

  test('waits a moment for an endpoint that takes no call now', async () => {
    const server = await pickyServer(() =>
      server.seen.length < 3 ? { status: 429, body: { error: { message: 'Too many requests. Retry in 0.1s.' } } } : null,
    )
    const checked = await check((await register(server.baseUrl)).id)
    expect(checked).toMatchObject({ status: 'ready', last_check: { parameters: learned } })
    expect(server.seen).toHaveLength(3)
  })

  test('reads a model that ran out of tokens as alive', async () => {
    const server = await pickyServer(() => ({
      status: 400,
      body: {
        error: {
          message:
            'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.',
        },
      },
    }))
    expect(await check((await register(server.baseUrl)).id)).toMatchObject({
      status: 'ready',
      last_check: { ok: true, empty_answer: true },
    })
    expect(server.seen).toHaveLength(1)
  })

  test('warns in the quote that a temperature is not sent', async () => {
    const server = await pickyServer(({ body }) => ('temperature' in body ? unsupported('temperature') : null))
    const { id } = await check((await register(server.baseUrl)).id)
    const { quote: made } = await run(id, { temperature: 0.7 })
    expect(made.compatibility.checks).toContainEqual(
      expect.objectContaining({ check: 'model_capabilities', status: 'warn', detail: expect.stringContaining('0.7 is not sent') }),
    )
  })
})

describe('a failed check', () => {
  const onlyAt = (path: string) =>
    pickyServer(request => (request.path === path ? null : { status: 404, body: { error: { message: 'Invalid URL' } } }))

  test.each(['', '/', '/v1/chat/completions', '/v1/models', '/v1/completions/'])(
    'proposes the base URL that answers instead of "%s"',
    async path => {
      const server = await onlyAt('/v1/chat/completions')
      const origin = new URL(server.baseUrl).origin
      const checked = await check((await register(`${origin}${path}`)).id)
      expect(checked).toMatchObject({ status: 'failing', last_check: { proposed_base_url: server.baseUrl } })
      expect(checked.last_check?.message).toContain(`answers at ${server.baseUrl}`)
      await service.client.call('updateConnection', { params: { connection_id: checked.id }, body: { base_url: server.baseUrl } })
      expect(await check(checked.id)).toMatchObject({ status: 'ready' })
    },
  )

  test('proposes a path that the endpoint has in place of /v1', async () => {
    const server = await onlyAt('/openai/v1/chat/completions')
    const origin = new URL(server.baseUrl).origin
    expect((await check((await register(server.baseUrl)).id)).last_check?.proposed_base_url).toBe(`${origin}/openai/v1`)
  })

  test('proposes nothing where nothing answers', async () => {
    const server = await onlyAt('/elsewhere')
    expect((await check((await register(server.baseUrl)).id)).last_check).toMatchObject({ ok: false, proposed_base_url: null })
  })
})

test('sends the key of an Azure deployment as Azure takes it, with its api-version', async () => {
  const server = await pickyServer(({ path, headers }) =>
    path === '/openai/deployments/gpt/chat/completions?api-version=2024-10-21' &&
    headers['api-key'] === 'k' &&
    headers.authorization === undefined
      ? null
      : { status: 404, body: { error: { code: '404', message: 'Resource not found' } } },
  )
  const base = `${new URL(server.baseUrl).origin}/openai/deployments/gpt`
  expect(await check((await register(`${base}?api-version=2024-10-21`, { api_key: 'k' })).id)).toMatchObject({ status: 'ready' })
  const pasted = await check((await register(`${base}/chat/completions?api-version=2024-10-21`, { api_key: 'k' })).id)
  expect(pasted.last_check?.proposed_base_url).toBe(`${base}?api-version=2024-10-21`)
})
