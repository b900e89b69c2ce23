import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PickyServer, startPickyServer } from '../journeys/model-server/picky-server.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd, upload } from './imports-upload.ts'

let service: TestService
let server: PickyServer
let profile: string
const format = { name: 'city', schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }
const content = [
  { question: 'Capital of Italy?', answer: 'Rome' },
  { question: 'Capital of Norway?', answer: 'Oslo' },
]
const files = [{ name: 'd.jsonl', content: content.map(row => JSON.stringify(row)).join('\n') }]
const fields = (more: object) => ({ format: 'jsonl', name: 'Cities', profile: JSON.stringify({ response_format: format, ...more }) })

beforeAll(async () => {
  service = await startTestService()
  server = await startPickyServer(() => null)
  expect(await importToEnd(service, { fields: fields({}), files })).toMatchObject({ status: 'imported' })
  profile = await profileId(service.client, 'cities', 'zero-shot')
})
afterAll(async () => {
  await service.close()
  await server.close()
})

const connect = async (more: object) => {
  const { id } = await service.client.call('createConnection', { body: { name: 'm', base_url: server.baseUrl, model: 'm', ...more } })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  return { kind: 'connection', connection_id: id } as const
}

test('a profile asks for structured output, before the connection’s own, and its schema is a metric beside the others', async () => {
  const { client, baseUrl } = service
  const model = await connect({ request_settings: { response_format: { name: 'other', schema: { type: 'array' } }, top_p: 0.5 } })
  const made = await quote(client, { model, profiles: [profile] })
  expect(made.profiles[0]?.generation.response_format).toEqual({ ...format, strict: true })
  expect(made.profiles[0]?.metrics.at(-1)).toMatchObject({
    scorer: 'assay/json_schema',
    title: 'Valid under the schema',
    primary: false,
    options: { schema: format.schema },
  })
  expect(made.compatibility.checks).toContainEqual(expect.objectContaining({ status: 'pass', detail: expect.stringContaining('“city”') }))
  const before = server.seen.length
  const run = await runToEnd(client, baseUrl, (await submit(client, made.id)).id)
  const sent = server.seen.slice(before).map(({ body }) => body)
  expect(sent).toHaveLength(2)
  for (const body of sent)
    expect(body).toMatchObject({ top_p: 0.5, response_format: { type: 'json_schema', json_schema: { ...format, strict: true } } })
  const { metrics } = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
  expect(metrics.map(({ scorer }) => scorer)).toContain('assay/json_schema')
})

test('a protocol without structured output fails at the quote', async () => {
  const model = await connect({ protocol: 'openai_completions' })
  const { compatibility } = await quote(service.client, { model, profiles: [profile] })
  expect(compatibility.checks).toContainEqual(
    expect.objectContaining({ status: 'fail', detail: expect.stringContaining('no structured output') }),
  )
})

test('a schema that cannot be used is refused where it is, and one that is graded already is graded once', async () => {
  const broken = { response_format: { schema: { type: 'nothing' } } }
  const reply = await upload(service, { fields: { ...fields({}), profile: JSON.stringify(broken) }, files })
  expect(reply.status).toBe(422)
  expect(await reply.text()).toContain('response_format')
  const metrics = [{ scorer: 'assay/json_schema', options: { schema: format.schema }, primary: true }]
  expect(await importToEnd(service, { fields: { ...fields({ metrics }), name: 'Once' }, files })).toMatchObject({ status: 'imported' })
  const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'once' } })
  expect(profiles[0]?.metrics).toHaveLength(1)
})
