import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { Attributes } from '@opentelemetry/api'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { describe, expect, test } from 'vitest'
import type { Json, MappedSpan } from '../../../../../src/engine/importing/traces/mapped-span.ts'
import { readOtlpJson } from '../../../../../src/engine/importing/traces/otlp-json.ts'
import { readOtlpProtobuf } from '../../../../../src/engine/importing/traces/otlp-protobuf.ts'
import { encodeOtlpReply, otlpReply } from '../../../../../src/engine/importing/traces/otlp-reply.ts'
import { OtlpRequestError } from '../../../../../src/engine/importing/traces/otlp-request.ts'
import { mapOtlpSpan } from '../../../../../src/engine/importing/traces/otlp-span.ts'
import { toSpanRow } from '../../../../../src/engine/importing/traces/span-row.ts'
import { readableSpans, type RecordedSpan } from '../../../../support/otlp.ts'

async function bothForms(roots: readonly RecordedSpan[]) {
  const spans = await readableSpans(roots)
  const [protobuf, json] = [ProtobufTraceSerializer.serializeRequest(spans), JsonTraceSerializer.serializeRequest(spans)]
  if (!protobuf || !json) throw new Error('OpenTelemetry serialized nothing.')
  return { protobuf: readOtlpProtobuf(protobuf), json: readOtlpJson(Buffer.from(json).toString()) }
}

async function mapped(attributes: Attributes, events: RecordedSpan['events'] = []): Promise<MappedSpan> {
  const { protobuf } = await bothForms([{ name: 'span', attributes, events }])
  return mapOtlpSpan(protobuf.spans[0] ?? {})
}

describe('what OpenTelemetry’s serializers write', () => {
  test('is read the same from protobuf and from JSON, value for value', async () => {
    const { protobuf, json } = await bothForms([
      {
        name: 'root 🌍',
        attributes: { text: 'a', yes: true, whole: 42, half: 0.5, list: ['x', 'y'], numbers: [1, 2.5], big: 9_007_199_254_740_991 },
        events: [{ name: 'said', attributes: { 'exception.message': 'oh' } }],
        error: 'It failed',
        children: [{ name: 'child', attributes: { none: 'b' } }],
      },
    ])
    expect(protobuf).toEqual(json)
    expect(protobuf).toMatchObject({ rejected: 0, reasons: [] })
    const [child, root] = protobuf.spans
    expect(root).toMatchObject({
      name: 'root 🌍',
      attributes: { text: 'a', yes: true, whole: 42, half: 0.5, list: ['x', 'y'], numbers: [1, 2.5], big: 9_007_199_254_740_991 },
      status: { code: 2, message: 'It failed' },
      events: [{ name: 'said', attributes: { 'exception.message': 'oh' } }],
      scope: { name: 'test', version: '1.0.0' },
    })
    expect(child).toMatchObject({ name: 'child', parentSpanId: root?.['spanId'], traceId: root?.['traceId'] })
    expect(toSpanRow('otlp', root ?? {}).digest).toEqual(toSpanRow('otlp', json.spans[1] ?? {}).digest)
    expect(toSpanRow('otlp', root ?? {})).toMatchObject({ status: 'error', isRoot: true, name: 'root 🌍' })
  })

  test('replies are read by OpenTelemetry’s own deserializer', () => {
    const reply = otlpReply(3, ['Because.'])
    expect(ProtobufTraceSerializer.deserializeResponse(encodeOtlpReply(reply))).toMatchObject({
      partialSuccess: { rejectedSpans: 3, errorMessage: 'Because.' },
    })
    expect(encodeOtlpReply(otlpReply(0, []))).toHaveLength(0)
  })
})

const chat = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
]

describe('conventions', () => {
  test.each<[string, Attributes, RecordedSpan['events']]>([
    [
      'GenAI',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-6',
        'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Be kind' }]),
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] }]),
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_write.input_tokens': 3,
      },
      [],
    ],
    [
      'GenAI with flattened prompts',
      {
        'gen_ai.request.model': 'gpt-6',
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be kind',
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.1.content': 'Hi',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': 'Hello',
        'gen_ai.usage.prompt_tokens': 10,
        'gen_ai.usage.completion_tokens': 5,
        'gen_ai.usage.cache_creation.input_tokens': 3,
      },
      [],
    ],
    [
      'GenAI with message events',
      {
        'gen_ai.request.model': 'gpt-6',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_write.input_tokens': 3,
      },
      [
        { name: 'gen_ai.system.message', attributes: { content: 'Be kind' } },
        { name: 'gen_ai.user.message', attributes: { content: 'Hi' } },
        { name: 'gen_ai.choice', attributes: { message: JSON.stringify({ role: 'assistant', content: 'Hello' }) } },
      ],
    ],
    [
      'OpenInference',
      {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-6',
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': 'Be kind',
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.contents.0.message_content.type': 'text',
        'llm.input_messages.1.message.contents.0.message_content.text': 'Hi',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'Hello',
        'llm.token_count.prompt': 10,
        'llm.token_count.completion': 5,
        'llm.token_count.prompt_details.cache_write': 3,
      },
      [],
    ],
    [
      'AI SDK',
      {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.model.id': 'gpt-6',
        'ai.prompt.messages': JSON.stringify([
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        ]),
        'ai.response.text': 'Hello',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_write.input_tokens': 3,
      },
      [],
    ],
  ])('%s: messages, model and tokens', async (_name, attributes, events) => {
    const span = await mapped(attributes, events)
    expect({ ...span, attributes: {} }).toMatchObject({
      kind: 'llm',
      model: 'gpt-6',
      input: [{ role: 'system', content: 'Be kind' }, chat[0]],
      output: [chat[1]],
      usage: { input_tokens: 10, output_tokens: 5, cache_write_tokens: 3 },
    })
    expect(span.attributes).toMatchObject(attributes)
  })

  test.each<[string, Attributes, Partial<MappedSpan>]>([
    [
      'Traceloop',
      { 'traceloop.span.kind': 'workflow', 'traceloop.entity.input': '{"q":1}', 'traceloop.entity.output': 'done' },
      { kind: 'chain', input: [{ role: 'input', content: '{"q":1}' }] },
    ],
    [
      'OpenInference values',
      { 'openinference.span.kind': 'CHAIN', 'input.value': 'in', 'output.value': 'out' },
      { kind: 'chain', output: [{ role: 'output', content: 'out' }] },
    ],
    ['the AI SDK’s outer span', { 'ai.operationId': 'ai.generateText', 'ai.model.id': 'gpt-6' }, { kind: 'chain' }],
    [
      'a tool',
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': '{"a":1}' },
      { kind: 'tool', input: [{ role: 'input', content: '{"a":1}' }] },
    ],
    ['nothing known', { 'http.method': 'GET' }, { kind: 'other', input: [], output: [], model: null, usage: null }],
  ])('%s', async (_name, attributes, expected) => {
    expect(await mapped(attributes)).toMatchObject(expected)
  })

  test('the first list that is present counts, and tool calls are kept', async () => {
    const span = await mapped({
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: 'new' }]),
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'old',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.tool_calls.0.id': 't1',
      'gen_ai.completion.0.tool_calls.0.name': 'search',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"q":"x"}',
    })
    expect(span.input).toEqual([{ role: 'user', content: 'new' }])
    expect(span.output).toEqual([{ role: 'assistant', content: '', tool_calls: [{ id: 't1', name: 'search', arguments: '{"q":"x"}' }] }])
  })
})

const traceId = '0af7651916cd43dd8448eb211c80319c'
const span = (more: Json = {}) => ({ traceId, spanId: 'b7ad6b7169203331', name: 's', startTimeUnixNano: '1700000000000000000', ...more })
const request = (...spans: readonly Json[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const attribute = (key: string, value: Json) => ({ key, value })

describe('hostile requests', () => {
  test('spans without ids, start or sense are refused one by one', () => {
    const { spans, rejected, reasons } = readOtlpJson(
      request(
        span(),
        span({ traceId: '0'.repeat(32) }),
        span({ spanId: 'xyz' }),
        span({ startTimeUnixNano: '0' }),
        span({ startTimeUnixNano: 'soon' }),
        span({ attributes: [attribute('a', { intValue: 'many' })] }),
        span({ attributes: [attribute('llm.input_messages.10001.message.role', { stringValue: 'user' })] }),
        span({ attributes: { no: 'list' } }),
      ),
    )
    expect(spans).toHaveLength(1)
    expect(rejected).toBe(7)
    expect(reasons.length).toBe(5)
  })

  test('values nested deeper than 32 levels are refused, in both forms', () => {
    const nested = (depth: number): Json => (depth === 0 ? { stringValue: 'x' } : { arrayValue: { values: [nested(depth - 1)] } })
    expect(readOtlpJson(request(span({ attributes: [attribute('a', nested(32))] })))).toMatchObject({ rejected: 0 })
    expect(readOtlpJson(request(span({ attributes: [attribute('a', nested(33))] })))).toMatchObject({ rejected: 1 })
    expect(readOtlpProtobuf(protobufSpan(32))).toMatchObject({ rejected: 0 })
    expect(readOtlpProtobuf(protobufSpan(33))).toMatchObject({ rejected: 1 })
    expect(readOtlpProtobuf(protobufSpan(5000))).toMatchObject({ rejected: 1 })
  })

  test('unknown groups nested without end are refused before the stack is used up', () => {
    // Tags of field 100 that begin a group: the depth is all that the bytes hold.
    const opened = Buffer.alloc(2_000_000, Buffer.from([0xa3, 0x06]))
    expect(() => readOtlpProtobuf(opened)).toThrow('maximum recursion depth reached')
  })

  test('more than 10,000 spans are counted and not read, and too many values refuse the request', () => {
    const many = Array.from({ length: 10_003 }, (_, i) => span({ spanId: (i + 1).toString(16).padStart(16, '0') }))
    expect(readOtlpJson(request(...many))).toMatchObject({ rejected: 3, reasons: ['A request may hold at most 10000 spans.'] })
    const values = Array.from({ length: 500_001 }, () => ({ boolValue: true }))
    expect(() => readOtlpJson(request(span({ attributes: [attribute('a', { arrayValue: { values } })] })))).toThrow(OtlpRequestError)
  })

  test('texts above 1 MiB are cut and say so', () => {
    const { spans } = readOtlpJson(request(span({ attributes: [attribute('a', { stringValue: 'x'.repeat(1024 * 1024 + 5) })] })))
    const { a } = Object(spans[0]?.['attributes'])
    expect(String(a)).toMatch(/x… \[cut by Assay: 1048581 characters\]$/)
    expect(String(a).length).toBeLessThan(1024 * 1024 + 60)
  })

  test('a message inside a text that is nested without end stays a text', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const found = await mapped({ 'gen_ai.input.messages': deep })
    expect(found.input).toEqual([{ role: 'input', content: deep }])
  })

  test.each([new Uint8Array([0xff, 0xff, 0xff]), new Uint8Array([0x0a, 0x7f]), Buffer.from('{"resourceSpans":[]}'), Buffer.from('hello')])(
    'bytes that are no request are refused (%#)',
    bytes => {
      expect(() => readOtlpProtobuf(bytes)).toThrow(OtlpRequestError)
    },
  )

  test.each(['', 'null', '[]', '{"resourceSpans":{}}', '{"resourceSpans":[1]}', '{"a":'])(
    'text that is no request is refused: %s',
    text => {
      expect(() => readOtlpJson(text)).toThrow(OtlpRequestError)
    },
  )

  test('random bytes never end in anything but a request or a refusal', () => {
    let seed = 1
    const next = () => (seed = (seed * 48_271) % 2_147_483_647)
    const good = protobufSpan(3)
    for (let round = 0; round < 3000; round++) {
      const bytes = Uint8Array.from(good)
      for (let change = 0; change < 1 + (round % 6); change++) bytes[next() % bytes.length] = next() % 256
      try {
        expect(readOtlpProtobuf(bytes).rejected).toBeGreaterThanOrEqual(0)
      } catch (error) {
        expect(error).toBeInstanceOf(OtlpRequestError)
      }
    }
  })

  test('names such as __proto__ change nothing', () => {
    const { spans } = readOtlpJson(request(span({ attributes: [attribute('__proto__', { stringValue: 'x' })] })))
    expect(toSpanRow('otlp', spans[0] ?? {}).name).toBe('s')
    expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted')
  })
})

/** A request of one span with an attribute that is so many lists deep. */
function protobufSpan(depth: number): Uint8Array {
  let value = new BinaryWriter().tag(1, WireType.LengthDelimited).string('x').finish()
  for (let level = 0; level < depth; level++) {
    const list = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(value).finish()
    value = new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(list).finish()
  }
  const pair = new BinaryWriter().tag(1, WireType.LengthDelimited).string('a').tag(2, WireType.LengthDelimited).bytes(value).finish()
  const message = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(Buffer.from(traceId, 'hex'))
    .tag(2, WireType.LengthDelimited)
    .bytes(Buffer.from('b7ad6b7169203331', 'hex'))
    .tag(7, WireType.Bit64)
    .fixed64(1_700_000_000_000_000_000n)
    .tag(9, WireType.LengthDelimited)
    .bytes(pair)
    .finish()
  const scope = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(message).finish()
  const resource = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(scope).finish()
  return new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(resource).finish()
}

describe('attributes of today’s instrumentations', () => {
  const asked = [{ role: 'user', content: 'Hi?' }]

  test('of Langfuse are a model call with its messages and counts', async () => {
    const span = await mapped({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-x',
      'langfuse.observation.input': JSON.stringify(asked),
      'langfuse.observation.output': JSON.stringify({ role: 'assistant', content: 'Yo' }),
      'langfuse.observation.usage_details': JSON.stringify({ input: 10, output: 3 }),
    })
    expect(span).toMatchObject({ kind: 'llm', model: 'gpt-x', usage: { input_tokens: 10, output_tokens: 3 }, input: asked })
    expect(span.output).toEqual([{ role: 'assistant', content: 'Yo' }])
  })

  test.each(['events', 'all_messages_events'])('of Pydantic AI and Logfire are read from %s', async name => {
    const span = await mapped({
      'gen_ai.operation.name': 'chat',
      [name]: JSON.stringify([
        { 'event.name': 'gen_ai.user.message', content: 'Hi?', role: 'user' },
        { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'Yo' } },
      ]),
    })
    expect(span).toMatchObject({ input: asked, output: [{ role: 'assistant', content: 'Yo' }] })
  })

  test.each([3_000_000, 12_000_000])(
    'keep their messages where an image of %i characters is larger than an attribute may be',
    async size => {
      const parts = [
        { type: 'text', content: 'What is it?' },
        { type: 'blob', mime_type: 'image/png', content: 'A'.repeat(size) },
      ]
      const request = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), startTimeUnixNano: '1', endTimeUnixNano: '2' }
      const stringValue = JSON.stringify([{ role: 'user', parts }])
      const attributes = [{ key: 'gen_ai.input.messages', value: { stringValue } }]
      const { spans } = readOtlpJson(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...request, attributes }] }] }] }))
      const [message] = mapOtlpSpan(spans[0] ?? {}).input
      expect(message).toMatchObject({ role: 'user', content: `What is it?\n[${size} characters of base64 left out]` })
    },
  )
})

test('ids in base64, as protobuf’s JSON writer makes them, are the same ids', () => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
  const span = { traceId: base64(traceId), spanId: base64(spanId), startTimeUnixNano: '1', endTimeUnixNano: '2' }
  expect(readOtlpJson(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })).spans).toMatchObject([{ traceId, spanId }])
})
