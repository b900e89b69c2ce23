import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { recordSpans, type RecordedSpan } from '../support/otlp.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.close()
})

const roots = (name: string): RecordedSpan[] => [
  {
    name,
    attributes: { 'openinference.span.kind': 'AGENT', 'input.value': 'What is up?', 'output.value': 'The sky.' },
    children: [
      {
        name: 'chat gpt-6',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-6',
          'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'What is up?' }] }]),
          'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'The sky.' }] }]),
          'gen_ai.usage.input_tokens': 12,
          'gen_ai.usage.output_tokens': 4,
        },
      },
      { name: 'search', attributes: { 'gen_ai.operation.name': 'execute_tool' }, error: 'No network' },
    ],
  },
]

/** What the empty page of the UI tells a person to set. */
function setEnvironment(): void {
  const { authorization = '' } = service.keyClient.headers
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', service.baseUrl)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `Authorization=${encodeURIComponent(authorization)},X-Workspace-ID=${service.workspaceId}`)
}

function post(body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>) {
  return service.fetch('/v1/traces', { method: 'POST', body, headers })
}

async function expectError(reply: Response, status: number, code: string): Promise<void> {
  expect(reply.status).toBe(status)
  expect(ErrorBody.parse(await reply.json()).error.code).toBe(code)
}

const json = { 'content-type': 'application/json' }

describe('OpenTelemetry’s own exporters', () => {
  test.each([
    ['protobuf', () => new ProtobufExporter()],
    ['JSON', () => new JsonExporter()],
    ['protobuf with gzip', () => new ProtobufExporter()],
  ] as const)('send traces over %s with the two environment variables alone', async (name, exporter) => {
    setEnvironment()
    vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', name.endsWith('gzip') ? 'gzip' : 'none')
    await recordSpans(roots(`answer over ${name}`), exporter())
    const { items } = await service.client.call('listTraces', { query: { q: `answer over ${name}` } })
    expect(items[0]).toMatchObject({
      source: 'otlp',
      name: `answer over ${name}`,
      integration_id: null,
      model: 'gpt-6',
      span_count: 3,
      error_count: 1,
      input_tokens: 12,
      output_tokens: 4,
      input_preview: 'What is up?',
      output_preview: 'The sky.',
    })
    const { spans } = await service.client.call('getTrace', { params: { trace_id: items[0]?.id ?? '' } })
    const root = spans.find(span => span.parent_span_id === null)
    expect(spans.filter(span => span.parent_span_id === root?.span_id).map(({ name, kind, status }) => [name, kind, status])).toEqual(
      expect.arrayContaining([
        ['chat gpt-6', 'llm', 'unset'],
        ['search', 'tool', 'error'],
      ]),
    )
    expect(spans.find(({ status }) => status === 'error')?.status_message).toBe('No network')
  })
})

describe('a request', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const span = (id: number, more: object = {}) => ({
    traceId,
    spanId: id.toString(16).padStart(16, '0'),
    name: `span ${id}`,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000000250000000',
    ...more,
  })
  const request = (...spans: readonly object[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

  test('whose root only wraps calls is listed and found by what they were given and answered', async () => {
    const traceId = '1af7651916cd43dd8448eb211c80319c'
    const at = (second: number) => ({
      traceId,
      startTimeUnixNano: `170000000${second}000000000`,
      endTimeUnixNano: `170000000${second}500000000`,
    })
    const texts = (input: string, output: string) => ({
      attributes: [
        { key: 'input.value', value: { stringValue: input } },
        { key: 'output.value', value: { stringValue: output } },
      ],
    })
    const find = async (q: string) => (await service.client.call('listTraces', { query: { q } })).items
    await post(request(span(12, { ...at(2), ...texts('kumquat', 'second'), parentSpanId: '00000000000000aa' })), json)
    expect(await find('kumquat')).toMatchObject([{ name: 'span 12', input_preview: 'kumquat', output_preview: 'second' }])
    await post(request(span(10, at(0)), span(11, { ...at(1), ...texts('persimmon', 'first'), parentSpanId: '00000000000000aa' })), json)
    const [found] = await find('persimmon')
    expect(await find('kumquat')).toEqual([found])
    expect(found).toMatchObject({ name: 'span 10', span_count: 3, input_preview: 'persimmon', output_preview: 'second' })
    await post(request(span(10, { ...at(0), ...texts('medlar', 'last') })), json)
    expect(await find('medlar')).toMatchObject([{ id: found?.id, input_preview: 'medlar', output_preview: 'last' }])
  })

  test('is found by everything that one of its spans says, in words, phrases and exclusions', async () => {
    const traceId = '5cf7651916cd43dd8448eb211c80319c'
    const long = `${'filler '.repeat(300)}the unlikely gooseberry contract ${'filler '.repeat(300)}`
    const said = (text: string) => ({
      traceId,
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        {
          key: 'gen_ai.input.messages',
          value: {
            stringValue: JSON.stringify([
              { role: 'system', parts: [{ type: 'text', content: 'You are a mangosteen' }] },
              { role: 'user', parts: [{ type: 'text', content: text }] },
              { role: 'user', parts: [{ type: 'text', content: 'And then?' }] },
            ]),
          },
        },
      ],
    })
    const found = async (q: string) => (await service.client.call('listTraces', { query: { q } })).items.map(item => item.name)
    await post(request(span(20, said(long)), span(21, { traceId, parentSpanId: '00000000000000aa' })), json)
    expect(await found('contract GOOSEBERRIES')).toEqual([])
    expect(await found('contract GOOSEB')).toEqual(['span 20'])
    expect(await found('"unlikely gooseberry"')).toEqual(['span 20'])
    expect(await found('"gooseberry unlikely"')).toEqual([])
    expect(await found('gooseberry -unlikely')).toEqual([])
    expect(await found('mangosteen')).toEqual([])
    const exact = async (q: string) =>
      (await service.client.call('listTraces', { query: { q, match: 'exact' } })).items.map(item => item.name)
    expect(await exact('the unlikely gooseberry contract')).toEqual(['span 20'])
    expect(await exact('unlikely Gooseberry')).toEqual([])
    expect(await exact('likely gooseb')).toEqual(['span 20'])
    expect(await exact('mangosteen')).toEqual([])
    await post(request(span(20, said('costs "12,5 €"\tor\\so'))), json)
    for (const q of ['"12,5 €"', '\tor', 'r\\s', '€', '$', '12.5']) expect(await exact(q)).toEqual('$ 12.5'.includes(q) ? [] : ['span 20'])
    expect(await exact(traceId)).toEqual(['span 20'])
    await post(request(span(20, said('a quince'))), json)
    expect(await found('gooseberry')).toEqual([])
    expect(await found('quince')).toEqual(['span 20'])
  })

  test('is found by its name in any script, and left out by it, though its spans were stored before they were searched', async () => {
    const found = async (q: string) => (await service.client.call('listTraces', { query: { q } })).items.map(item => item.name)
    const named = { ...span(22, { traceId: 'e'.repeat(32) }), name: '환불 요청 天気予報 café' }
    await post(request(named), json)
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    db.prepare('delete from span_search where rowid >> 32 = (select max(no) from traces)').run()
    db.close()
    for (const q of ['환불', '환불 요청', '天気予報', '"天気予報"', 'café']) expect(await found(q)).toContain(named.name)
    expect(await found('café -환불')).not.toContain(named.name)
  })

  test('sent twice changes nothing; a changed span becomes its next revision and the totals follow', async () => {
    const usage = (tokens: string) => ({
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: tokens } },
      ],
    })
    for (const body of [request(span(1, usage('5')), span(2)), request(span(1, usage('5')), span(2))])
      expect(await (await post(body, json)).json()).toEqual({})
    const find = async () => (await service.client.call('listTraces', { query: { q: traceId } })).items
    const [before] = await find()
    expect(before).toMatchObject({ span_count: 2, input_tokens: 5, duration_ms: 250, error_count: 0 })
    await (await post(request(span(1, { ...usage('7'), status: { code: 2, message: 'x' } })), json)).text()
    const [after] = await find()
    expect(after).toMatchObject({ id: before?.id, span_count: 2, input_tokens: 7, error_count: 1 })
    const { spans } = await service.client.call('getTrace', {
      params: { trace_id: after?.id ?? '' },
      query: { span_id: '0000000000000001' },
    })
    expect(spans).toMatchObject([{ span_id: '0000000000000001', revision: 2, status: 'error' }])
  })

  test('is taken in part, and the refused spans are counted', async () => {
    const reply = await post(request(span(10), span(11, { startTimeUnixNano: '0' })), json)
    expect(reply.status).toBe(200)
    expect(await reply.json()).toEqual({ partialSuccess: { rejectedSpans: '1', errorMessage: 'A span has no start time.' } })
  })

  test('is refused with the error body of every operation', async () => {
    await expectError(await post('{', json), 400, 'malformed_json')
    await expectError(await post('hello', { 'content-type': 'application/x-protobuf' }), 400, 'malformed_request')
    await expectError(await post('x', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type')
    await expectError(await post('{}', { ...json, 'content-encoding': 'br' }), 415, 'unsupported_media_type')
    await expectError(await post('not gzip', { ...json, 'content-encoding': 'gzip' }), 400, 'malformed_request')
    await expectError(await post(`"${'x'.repeat(4 * 1024 * 1024)}"`, json), 413, 'payload_too_large')
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024))
    await expectError(await post(new Uint8Array(bomb), { ...json, 'content-encoding': 'gzip' }), 413, 'payload_too_large')
    const anonymous = await fetch(`${service.baseUrl}/v1/traces`, { method: 'POST', headers: json, body: request(span(1)) })
    await expectError(anonymous, 401, 'unauthenticated')
    const { key } = await service.client.call('createApiKey', { body: { name: 'reader', scopes: ['traces:read'] } })
    await expectError(await post(request(span(1)), { ...json, authorization: `Bearer ${key}` }), 403, 'missing_scope')
  })

  test('gzip is taken on this route alone', async () => {
    const body = new Uint8Array(gzipSync('{"name":"x","task":"answer"}'))
    const reply = await service.fetch('/v1/datasets', { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body })
    await expectError(reply, 415, 'unsupported_media_type')
  })
})

test.each([
  ['/v1/logs', 'OTEL_LOGS_EXPORTER'],
  ['/v1/metrics', 'OTEL_METRICS_EXPORTER'],
  ['/api/public/otel/v1/traces', 'received at /v1/traces'],
])('%s answers with what to set instead', async (path, advice) => {
  const reply = await service.fetch(path, { method: 'POST', headers: json, body: '{}' })
  expect(reply.status).toBe(404)
  expect(ErrorBody.parse(await reply.json()).error).toMatchObject({ code: 'not_found', message: expect.stringContaining(advice) })
})

test('lists are filtered by source, time, model, error and words', async () => {
  const count = async (query: NonNullable<Request<Api['listTraces']>['query']>) =>
    (await service.client.call('listTraces', { query: { q: 'answer over', ...query } })).items.length
  expect(await count({})).toBe(3)
  expect(await count({ source: 'otlp' })).toBe(3)
  expect(await count({ source: 'langfuse' })).toBe(0)
  expect(await count({ model: 'gpt-6', has_error: true })).toBe(3)
  expect(await count({ model: 'gpt-5' })).toBe(0)
  expect(await count({ has_error: false })).toBe(0)
  expect(await count({ from: '2999-01-01T00:00:00Z' })).toBe(0)
  expect(await count({ to: '2999-01-01T02:00:00+02:00' })).toBe(3)
  expect(await count({ q: 'gzip' })).toBe(1)
  expect(await count({ q: '"; drop table traces' })).toBe(0)
  expect(await count({ q: 'gzip\0over' })).toBe(0)
  expect(await count({ q: 'answer\0over -a\0b' })).toBe(3)
  const answered = await count({})
  expect(answered).toBeGreaterThan(1)
  expect(await count({ q: '"answer over"' })).toBe(answered)
  expect(await count({ q: '"over answer"' })).toBe(0)
  expect(await count({ q: 'answer over -gzip' })).toBe(answered - 1)
  const first = await service.client.call('listTraces', { query: { q: 'answer over', limit: 2 } })
  const second = await service.client.call('listTraces', { query: { q: 'answer over', limit: 2, cursor: first.next_cursor ?? '' } })
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3)
})

test('everything that a filter matches is archived and moved in one request, once it matches what was looked at', async () => {
  const { client } = service
  const listed = async (query: object) => (await client.call('listTraces', { query: { limit: 100, ...query } })).items.map(({ id }) => id)
  const change = (body: object) => client.call('changeTraces', { body: { filter: { q: 'answer over' }, ...body } })
  const [matching, all] = [await listed({ q: 'answer over' }), await listed({})]
  const { length: count } = matching
  expect(all.length).toBeGreaterThan(count)
  expect(await change({ dry_run: true })).toMatchObject({ matched: count, changed: 0 })
  expect(await listed({})).toEqual(all)
  const refused = { body: { filter: { q: 'answer over' }, expected: count + 1, archived: true } }
  expect(await client.refusal('changeTraces', refused)).toMatchObject({ code: 'conflict' })
  expect(await client.refusal('changeTraces', { body: { filter: {}, archived: true } })).toMatchObject({ code: 'validation_error' })
  expect(await change({ expected: count, archived: true, folder: 'Answers' })).toMatchObject({ matched: count, changed: count })
  expect(await listed({})).toEqual(all.filter(id => !matching.includes(id)))
  expect(await listed({ archived: 'true', folder: 'Answers' })).toEqual(matching)
  await client.call('changeTraces', { body: { filter: { archived: 'true' }, expected: count, archived: false } })
  expect(await listed({})).toEqual(all)
})

test('what was looked at is archived while traces arrive: those that came or changed since stay', async () => {
  const { client } = service
  const send = async (trace: number, span: number) => {
    const sent = {
      traceId: String(trace).padStart(32, 'a'),
      spanId: String(span).padStart(16, 'b'),
      name: 'arriving',
      startTimeUnixNano: `17000000${String(trace)}000000000`,
    }
    const reply = await service.fetch('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [sent] }] }] }),
    })
    expect(reply.status).toBe(200)
  }
  const filter = { q: 'arriving' }
  const listed = async () => (await client.call('listTraces', { query: { ...filter, limit: 100 } })).items.length
  for (const trace of [10, 11, 12, 13]) await send(trace, trace)
  const seen = await client.call('changeTraces', { body: { filter, dry_run: true } })
  expect(seen.matched).toBe(4)
  // Two new ones, and one of the four goes on.
  for (const trace of [14, 15]) await send(trace, trace)
  await send(13, 20)
  const change = { filter, expected: seen.matched, archived: true }
  expect(await client.refusal('changeTraces', { body: change })).toMatchObject({ code: 'conflict' })
  const { matched, changed } = await client.call('changeTraces', { body: { ...change, as_of: seen.as_of } })
  expect({ matched, changed, left: await listed() }).toEqual({ matched: 3, changed: 3, left: 3 })
  const wider = { filter: {}, expected: 1, archived: true, as_of: seen.as_of }
  expect(await client.refusal('changeTraces', { body: wider })).toMatchObject({ code: 'conflict' })
})
