import { describe, expect, onTestFinished, test } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import type { ModelClient, ModelRequest } from '../../../src/engine/clients/model-client.ts'
import type { ConnectionProtocol } from '../../../src/contract/connections/connections.schemas.ts'
import { noRequestSettings, unknownParameters } from '../../../src/contract/connections/request-settings.schemas.ts'
import { type ModelSettings, openModelClient } from '../../../src/engine/clients/open-model-client.ts'
import { judgeReply } from '../../../src/engine/execution/judging/judge-caller.ts'
import { verdictTool } from '../../../src/engine/execution/judging/judge-request.ts'
import { parseVerdict } from '../../../src/engine/grading/judges/parse-verdict.ts'
import { judgeWith } from '../../unit/engine/grading/judges/judge.ts'
import { answerIn, apiKey, failureIn, faultServer, question, textOf } from './client-under-test.ts'
import { errorReply, reply } from './scripted-replies.ts'

const never = new AbortController().signal

function client(
  protocol: ConnectionProtocol,
  baseUrl: string,
  headers: Readonly<Record<string, string>> = {},
  more: Partial<ModelSettings> = {},
): ModelClient {
  const opened = openModelClient(protocol, {
    baseUrl,
    model: 'test-model',
    apiKey,
    headers,
    streaming: false,
    attemptTimeoutMs: 60_000,
    connections: 2,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    ...more,
  })
  onTestFinished(() => opened.close())
  return opened
}

/** Head and body of the only request, and what became of it. */
async function ask(
  protocol: ConnectionProtocol,
  said: object,
  request: ModelRequest = question,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = JSON.stringify(said)
  const server = await faultServer(reply(200, body))
  const outcome = await client(protocol, protocol === 'ollama' ? server.baseUrl.replace('/v1', '') : server.baseUrl, headers).call(
    request,
    {
      signal: never,
    },
  )
  const [head = '', sent = ''] = server.received()[0]?.split('\r\n\r\n') ?? []
  // Only this test's client wrote it.
  return { outcome, head, sent: JSON.parse(sent) as Record<string, unknown>, sentText: sent, body }
}

const tool = {
  name: 'move',
  description: 'Walk.',
  parameters: [{ name: 'direction', type: 'string' as const, description: 'Where to', values: ['north', 'south'] }],
}
const schema = {
  type: 'object',
  properties: { direction: { type: 'string', description: 'Where to', enum: ['north', 'south'] } },
  required: ['direction'],
  additionalProperties: false,
}
/** A conversation in which a tool was used. */
const withTools: ModelRequest = {
  ...question,
  tools: [tool],
  messages: [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'move', arguments: '{"direction":"north"}' }] },
    { role: 'tool', toolCallId: 'c1', content: 'a wall' },
  ],
}
const call = { id: 'c2', name: 'move', arguments: '{"direction":"south"}' }
const chatCall = { id: 'c2', type: 'function', function: { name: 'move', arguments: call.arguments } }

const anthropic = (more: object = {}) => ({
  type: 'message',
  content: [{ type: 'text', text: '4' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, cache_read_input_tokens: 2, cache_creation_input_tokens: null, output_tokens: 1 },
  ...more,
})
const responses = (more: object = {}) => ({
  object: 'response',
  status: 'completed',
  error: null,
  output: [{ type: 'reasoning' }, { type: 'message', content: [{ type: 'output_text', text: '4' }] }],
  usage: { input_tokens: 5, output_tokens: 1 },
  ...more,
})
const completions = { choices: [{ index: 0, text: '4', finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 1 } }
const chat = (message: object) => ({
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1 },
})
const ollamaChat = (message: object) => ({ message, done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 1 })

describe.each<[ConnectionProtocol, object, RegExp]>([
  ['openai_completions', completions, /^POST \/v1\/completions /],
  ['openai_responses', responses(), /^POST \/v1\/responses /],
  ['anthropic_messages', anthropic(), /^POST \/v1\/messages /],
  ['ollama', ollamaChat({ role: 'assistant', content: '4' }), /^POST \/api\/chat /],
  ['llama_cpp', chat({ role: 'assistant', content: '4' }), /^POST \/v1\/chat\/completions /],
  ['vllm', chat({ role: 'assistant', content: '4' }), /^POST \/v1\/chat\/completions /],
])('%s', (protocol, said, path) => {
  test('gives the answer, the provider’s counts, and both bodies byte for byte', async () => {
    const { outcome, head, sentText, body } = await ask(protocol, said)
    const answer = answerIn(outcome)
    expect(answer).toMatchObject({ output: '4', refused: false, usage: { inputTokens: 5, outputTokens: 1 }, httpStatus: 200 })
    expect(head).toMatch(path)
    expect(textOf(answer.request)).toBe(sentText)
    expect(textOf(answer.response)).toBe(body)
    expect(answer).not.toHaveProperty('toolCalls')
  })

  test('takes the key out of what the provider echoes', async () => {
    const echoing = JSON.parse(JSON.stringify(said).replace('"4"', JSON.stringify(`your key is ${apiKey}`))) as object
    const answer = answerIn((await ask(protocol, echoing)).outcome)
    expect(answer.output).toBe('your key is [secret]')
    expect(textOf(answer.response)).not.toContain(apiKey)
  })

  test('names what goes wrong as the chat client does', async () => {
    const failing = async (script: ReturnType<typeof reply>) => {
      const server = await faultServer(script)
      return failureIn(await client(protocol, server.baseUrl).call(question, { signal: never }))
    }
    expect(await failing(errorReply(401, { message: 'no' }))).toMatchObject({ code: 'credential_refused', httpStatus: 401 })
    expect(await failing(errorReply(429, { message: 'slow' }, { 'retry-after': '2' }))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 2000,
    })
    expect(await failing(errorReply(429, { type: 'insufficient_quota' }))).toMatchObject({ code: 'quota_exhausted' })
    expect(await failing(reply(200, '{"hello":1}'))).toMatchObject({ code: 'bad_response' })
    expect(await failing(reply(200, 'not json'))).toMatchObject({ code: 'bad_response' })
    expect(await failing(reply(302, '', { location: 'http://example.com/' }))).toMatchObject({ code: 'redirect_refused' })
    expect(await failing(errorReply(500))).toMatchObject({ code: 'provider_failure' })
  })

  test('ends when it is cancelled', async () => {
    const server = await faultServer([])
    const stop = new AbortController()
    const pending = client(protocol, server.baseUrl).call(question, { signal: stop.signal })
    await server.arrived(0)
    stop.abort()
    expect(failureIn(await pending).code).toBe('cancelled')
  })
})

test('Anthropic gets its system prompt apart, its version and key in headers, and counts its cache as input', async () => {
  const { head, sent } = await ask('anthropic_messages', anthropic(), { ...question, stop: ['\n'] })
  expect(sent).toEqual({
    model: 'test-model',
    max_tokens: 16,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'What is 2 + 2?' }],
    temperature: 0,
    stop_sequences: ['\n'],
  })
  expect(head).toContain(`x-api-key: ${apiKey}`)
  expect(head).toContain('anthropic-version: 2023-06-01')
  expect(head).not.toMatch(/^authorization/im)
  const newer = await ask('anthropic_messages', anthropic(), question, { 'Anthropic-Version': '2026-10-21' })
  expect(newer.head).toContain('anthropic-version: 2026-10-21')
  expect(answerIn((await ask('anthropic_messages', anthropic({ stop_reason: 'refusal' }))).outcome).refused).toBe(true)
})

test('responses are not stored at the provider, and what it has no word for is noted', async () => {
  const { sent, outcome } = await ask('openai_responses', responses(), { ...question, stop: ['\n'], maxOutputTokens: 4 })
  expect(sent).toMatchObject({ store: false, max_output_tokens: 16 })
  expect(sent).not.toHaveProperty('stop')
  expect(outcome.notes?.map(({ code }) => code)).toEqual(['parameter_dropped', 'parameter_adapted'])
  const cut = await ask('openai_responses', responses({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }))
  expect(answerIn(cut.outcome).finishReason).toBe('max_output_tokens')
  const open = { type: 'message', status: 'incomplete', content: [{ type: 'output_text', text: '4' }] }
  expect(answerIn((await ask('openai_responses', responses({ output: [open] }))).outcome).finishReason).toBe('incomplete')
})

test.each([
  ['beside no output', { output: [], output_text: '4' }],
  ['in place of the output', { output: undefined, output_text: '4' }],
  ['beside the output once', { output_text: '4' }],
])('a response whose text stands %s is read', async (_, more) => {
  expect(answerIn((await ask('openai_responses', responses(more))).outcome).output).toBe('4')
})

test('a response without output and text is none', async () => {
  expect((await ask('openai_responses', responses({ output: undefined }))).outcome).toMatchObject({ ok: false, code: 'bad_response' })
})

test('completions send the conversation as one text and say so', async () => {
  const { sent, outcome } = await ask('openai_completions', completions)
  expect(sent).toEqual({ model: 'test-model', prompt: 'Be brief.\n\nWhat is 2 + 2?', max_tokens: 16, temperature: 0 })
  expect(outcome.notes).toEqual([{ code: 'parameter_adapted', message: expect.stringContaining('no roles') }])
})

test('Ollama never cuts a prompt in silence, and half a count is none', async () => {
  const { sent, outcome } = await ask('ollama', { message: { content: '4' }, eval_count: 1 })
  expect(sent).toMatchObject({ stream: false, truncate: false, shift: false, options: { num_predict: 16, num_ctx: 4096, temperature: 0 } })
  expect(answerIn(outcome).usage).toBeNull()
})

test('a piece of an answer of Ollama is no answer', async () => {
  const { outcome } = await ask('ollama', { message: { content: '4' }, done: false })
  expect(failureIn(outcome)).toMatchObject({ code: 'bad_response', message: expect.stringContaining('“done” false') })
})

test('llama.cpp requests disable its prompt cache', async () => {
  expect((await ask('llama_cpp', chat({ content: '4' }))).sent).toMatchObject({ cache_prompt: false, max_tokens: 16 })
})

describe('tools', () => {
  const functionTool = { type: 'function', function: { name: 'move', description: 'Walk.', parameters: schema } }

  test('by chat completions', async () => {
    const message = { content: null, tool_calls: [{ id: 'c2', type: 'function', function: { name: 'move', arguments: call.arguments } }] }
    const { sent, outcome } = await ask('openai_chat', chat(message), withTools)
    expect(sent).toMatchObject({
      tools: [functionTool],
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'move' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'a wall' },
      ],
    })
    expect(answerIn(outcome)).toMatchObject({ output: '', toolCalls: [call] })
  })

  test('by responses', async () => {
    const said = responses({ output: [{ type: 'function_call', call_id: 'c2', name: 'move', arguments: call.arguments }] })
    const { sent, outcome } = await ask('openai_responses', said, withTools)
    expect(sent['input']).toEqual([
      { role: 'user', content: 'Go.' },
      { type: 'function_call', call_id: 'c1', name: 'move', arguments: '{"direction":"north"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'a wall' },
    ])
    expect(answerIn(outcome).toolCalls).toEqual([call])
  })

  test('by Anthropic messages', async () => {
    const said = anthropic({
      content: [{ type: 'tool_use', id: 'c2', name: 'move', input: { direction: 'south' } }],
      stop_reason: 'tool_use',
    })
    const { sent, outcome } = await ask('anthropic_messages', said, withTools)
    expect(sent['tools']).toEqual([{ name: 'move', description: 'Walk.', input_schema: schema }])
    expect(sent['messages']).toEqual([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'move', input: { direction: 'north' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a wall' }] },
    ])
    expect(answerIn(outcome).toolCalls).toEqual([call])
  })

  test.each([
    ['max_tokens', '{"direction":"south'],
    ['model_context_window_exceeded', '{"direction":"south'],
    ['tool_use', call.arguments],
  ])('by Anthropic messages, which closes the object of a call that is cut off, are open: %s', async (stop_reason, last) => {
    const uses = ['c1', 'c2'].map(id => ({ type: 'tool_use', id, name: 'move', input: { direction: 'south' } }))
    const { outcome } = await ask('anthropic_messages', anthropic({ content: uses, stop_reason }), withTools)
    expect(answerIn(outcome).toolCalls).toEqual([
      { ...call, id: 'c1' },
      { ...call, arguments: last },
    ])
  })

  test.each([{ verdict: '1' }, { score: 1 }, {}])('by Anthropic messages that a token limit cut hold no verdict: %j', async input => {
    const content = [{ type: 'tool_use', id: 'c1', name: verdictTool, input }]
    const { outcome } = await ask('anthropic_messages', anthropic({ content, stop_reason: 'max_tokens' }), withTools)
    const judge = judgeWith({ mode: 'score', menu: Array.from({ length: 10 }, (_, i) => ({ value: `${i + 1}` })) })
    expect(parseVerdict(judge, judgeReply(answerIn(outcome)), 'b0undary')).toMatchObject({
      verdict: null,
      problem: 'was cut off at its token limit',
    })
  })

  test('by Ollama', async () => {
    const message = { content: '', tool_calls: [{ function: { name: 'move', arguments: { direction: 'south' } } }] }
    const { sent, outcome } = await ask('ollama', ollamaChat(message), withTools)
    expect(sent['tools']).toEqual([functionTool])
    expect(answerIn(outcome).toolCalls).toEqual([{ ...call, id: '' }])
  })

  /** The body of the request that hands back what a reply asked for, with these results. */
  async function answered(protocol: ConnectionProtocol, said: object, more: Partial<ModelRequest> = {}) {
    const { outcome } = await ask(protocol, said, { ...withTools, ...more })
    const { output, toolCalls = [], carried } = answerIn(outcome)
    const turn = { role: 'assistant' as const, content: output, toolCalls, ...(carried && { carried }) }
    const messages = [...withTools.messages, turn, { role: 'tool' as const, toolCallId: 'c2', content: 'a door' }]
    return (await ask(protocol, said, { ...withTools, ...more, messages })).sent
  }

  test.each([
    ['Gemini’s signatures', { content: null, tool_calls: [{ ...chatCall, extra_content: { google: { thought_signature: 'c2ln' } } }] }],
    ['DeepSeek’s thoughts', { content: '', reasoning_content: 'I should go.', tool_calls: [chatCall] }],
    ['vLLM’s thoughts', { content: null, reasoning: 'I should go.', tool_calls: [chatCall] }],
    [
      'OpenRouter’s details',
      { content: '', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', id: 'r1', format: 'f' }], tool_calls: [chatCall] },
    ],
    [
      'a signature beside the arguments',
      { content: null, tool_calls: [{ ...chatCall, function: { ...chatCall.function, thought_signature: 's' } }] },
    ],
    ['MiniMax’s thoughts in the text', { content: '<think>I should go.</think>', tool_calls: [chatCall] }],
    ['LiteLLM’s blocks', { content: '', thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: 's' }], tool_calls: [chatCall] }],
    [
      'Mistral’s parts',
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], signature: 's' }], tool_calls: [chatCall] },
    ],
  ])('%s come back by chat completions as they came', async (_, message) => {
    const sent = await answered('openai_chat', chat(message))
    expect(sent['messages']).toMatchObject([{}, {}, {}, { role: 'assistant', ...message }, { role: 'tool' }])
  })

  test('thinking blocks come back by Anthropic messages, before the calls', async () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'tool_use', id: 'c2', name: 'move', input: { direction: 'south' } },
    ]
    const sent = await answered('anthropic_messages', anthropic({ content, stop_reason: 'tool_use' }))
    expect(sent['messages']).toMatchObject([{}, {}, {}, { role: 'assistant', content }, {}])
  })

  test('encrypted reasoning items come back by responses, others do not', async () => {
    const output = [
      { type: 'reasoning', id: 'r0', summary: [] },
      { type: 'reasoning', id: 'r1', summary: [], encrypted_content: 'x' },
      { type: 'function_call', call_id: 'c2', name: 'move', arguments: call.arguments },
    ]
    const sent = await answered('openai_responses', responses({ output }), { effort: 'high' })
    expect(sent).toMatchObject({ include: ['reasoning.encrypted_content'], input: [{}, {}, {}, output[1], output[2], {}] })
  })

  test('thoughts come back by Ollama', async () => {
    const message = { content: '', thinking: 'hm', tool_calls: [{ function: { name: 'move', arguments: { direction: 'south' } } }] }
    expect((await answered('ollama', ollamaChat(message)))['messages']).toMatchObject([{}, {}, {}, message, {}])
  })

  test.each([
    ['an empty id', { ...chatCall, id: '' }],
    ['no id', { type: 'function', function: chatCall.function }],
    ['a null id', { ...chatCall, id: null }],
  ])('with %s are read', async (_, given) => {
    const { outcome } = await ask('openai_chat', chat({ content: null, tool_calls: [given] }), withTools)
    expect(answerIn(outcome).toolCalls).toEqual([{ ...call, id: '' }])
  })

  test.each([
    ['that are one and no list', { content: null, tool_calls: { ...chatCall } }, call.id],
    ['without an object within', { content: null, tool_calls: [{ id: call.id, ...chatCall.function }] }, call.id],
    ['of the form before tools', { content: null, function_call: chatCall.function }, ''],
  ])('%s are read', async (_, message, id) => {
    const { outcome } = await ask('openai_chat', chat(message), withTools)
    expect(answerIn(outcome).toolCalls).toEqual([{ ...call, id }])
  })

  test('with arguments as an object are read, several at once', async () => {
    const asObject = { ...chatCall, function: { name: 'move', arguments: { direction: 'south' } } }
    const { outcome } = await ask('openai_chat', chat({ content: null, tool_calls: [asObject, { ...chatCall, id: 'c3' }] }), withTools)
    expect(answerIn(outcome).toolCalls).toEqual([call, { ...call, id: 'c3' }])
  })

  test('are dropped by completions, with a note', async () => {
    expect((await ask('openai_completions', completions, withTools)).outcome.notes?.[0]).toMatchObject({ code: 'parameter_dropped' })
  })
})

describe('the reasoning effort', () => {
  const asking = (effort: NonNullable<ModelRequest['effort']>): ModelRequest => ({ ...question, temperature: null, effort })

  test.each<[ConnectionProtocol, object, NonNullable<ModelRequest['effort']>, object]>([
    ['openai_chat', chat({ role: 'assistant', content: '4' }), 'high', { reasoning_effort: 'high' }],
    ['llama_cpp', chat({ role: 'assistant', content: '4' }), 'none', { reasoning_effort: 'none', cache_prompt: false }],
    ['vllm', chat({ role: 'assistant', content: '4' }), 'low', { reasoning_effort: 'low' }],
    ['openai_responses', responses(), 'xhigh', { reasoning: { effort: 'xhigh' } }],
    ['anthropic_messages', anthropic(), 'max', { output_config: { effort: 'max' } }],
    ['anthropic_messages', anthropic(), 'none', { thinking: { type: 'disabled' } }],
    ['ollama', ollamaChat({ role: 'assistant', content: '4' }), 'medium', { think: 'medium' }],
    ['ollama', ollamaChat({ role: 'assistant', content: '4' }), 'none', { think: false }],
  ])('of %s goes where that protocol has it', async (protocol, said, effort, part) => {
    const { outcome, sent } = await ask(protocol, said, asking(effort))
    expect(sent).toMatchObject(part)
    expect(answerIn(outcome).notes ?? []).toEqual([])
  })

  test.each<[ConnectionProtocol, object, NonNullable<ModelRequest['effort']>]>([
    ['openai_completions', completions, 'high'],
    ['anthropic_messages', anthropic(), 'minimal'],
    ['ollama', ollamaChat({ role: 'assistant', content: '4' }), 'xhigh'],
  ])('that %s has no place for is noted, and not sent as another', async (protocol, said, effort) => {
    const { outcome, sentText } = await ask(protocol, said, asking(effort))
    expect(sentText).not.toContain(effort)
    expect(outcome.notes?.[0]).toMatchObject({ code: 'parameter_dropped', message: expect.stringContaining('effort') })
  })
})

test.each<[ConnectionProtocol, object, string]>([
  [
    'openai_chat',
    { error: { message: "Unsupported parameter: 'temperature' is not supported with this model.", param: 'temperature' } },
    'temperature',
  ],
  [
    'anthropic_messages',
    { type: 'error', error: { type: 'invalid_request_error', message: '`temperature` is deprecated' } },
    'temperature',
  ],
  ['ollama', { error: '"think" value "high" is not supported for this model' }, 'think'],
])('%s: a setting that the provider refuses is an event on the sample', async (protocol, said, name) => {
  const server = await faultServer(errorReply(400, said))
  const url = protocol === 'ollama' ? server.baseUrl.replace('/v1', '') : server.baseUrl
  const failure = failureIn(await client(protocol, url).call({ ...question, effort: 'high' }, { signal: never }))
  expect(failure.notes).toEqual([{ code: 'parameter_refused', message: expect.stringContaining(`“${name}”`) }])
})

test('a temperature that a model is known to refuse is left out, and the sample says so', async () => {
  const server = await faultServer(reply(200, JSON.stringify(anthropic())))
  const opened = client('anthropic_messages', server.baseUrl, {}, { parameters: { ...unknownParameters, temperature: false } })
  const answer = answerIn(await opened.call(question, { signal: never }))
  expect(textOf(answer.request)).not.toContain('temperature')
  expect(answer.notes).toEqual([
    { code: 'parameter_dropped', message: expect.stringContaining('test-model takes no temperature: 0 was not sent') },
  ])
  expect(answerIn(await opened.call({ ...question, temperature: null }, { signal: never })).notes ?? []).toEqual([])
})

describe('marks for the prompt cache of Anthropic', () => {
  async function marked(request: ModelRequest) {
    const server = await faultServer(reply(200, JSON.stringify(anthropic())))
    const requestSettings = { ...noRequestSettings, prompt_cache: true }
    await client('anthropic_messages', server.baseUrl, {}, { requestSettings }).call(request, { signal: never })
    return JSON.parse(server.received()[0]?.split('\r\n\r\n')[1] ?? '')
  }
  const mark = { cache_control: { type: 'ephemeral' } }

  test('end the tools and what an episode repeats, and no newer part', async () => {
    const body = await marked(withTools)
    expect(body.tools).toEqual([expect.objectContaining({ name: 'move', ...mark })])
    expect(body.messages[1].content).toEqual([expect.objectContaining({ type: 'tool_use', ...mark })])
    expect(JSON.stringify(body).split('cache_control')).toHaveLength(3)
  })

  test('end the system prompt, after which nothing is shared by single questions', async () => {
    const body = await marked({
      ...question,
      messages: [
        { role: 'system', content: 'Rules.' },
        { role: 'user', content: '2 + 2?' },
      ],
    })
    expect(body.system).toEqual([{ type: 'text', text: 'Rules.', ...mark }])
    expect(JSON.stringify(body).split('cache_control')).toHaveLength(2)
  })

  test('end the worked examples that are turns, but never an empty text', async () => {
    const turns = (answer: string): ModelRequest => ({
      ...question,
      messages: [
        { role: 'user', content: '1 + 1?' },
        { role: 'assistant', content: answer },
        { role: 'user', content: '2 + 2?' },
      ],
    })
    expect((await marked(turns('2'))).messages[1].content).toEqual([{ type: 'text', text: '2', ...mark }])
    expect((await marked(turns(''))).messages[1].content).toBe('')
  })
})

describe('marks for the prompt caches of OpenAI and Qwen', () => {
  const system = { role: 'system' as const, content: 'Rules.' }
  /** Two turns of an episode after its question. */
  const played: ModelRequest = {
    ...withTools,
    messages: [
      system,
      ...withTools.messages,
      { role: 'assistant', content: '', toolCalls: [{ id: 'c2', name: 'move', arguments: '{"direction":"south"}' }] },
      { role: 'tool', toolCallId: 'c2', content: 'a door' },
    ],
  }
  async function sent(protocol: ConnectionProtocol, model: string, request: ModelRequest, said: object = chat({ content: '4' })) {
    const server = await faultServer(reply(200, JSON.stringify(said)))
    const requestSettings = { ...noRequestSettings, prompt_cache: true }
    const answer = answerIn(await client(protocol, server.baseUrl, {}, { requestSettings, model }).call(request, { signal: never }))
    return { body: JSON.parse(server.received()[0]?.split('\r\n\r\n')[1] ?? ''), usage: answer.usage }
  }
  const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } }
  const control = { cache_control: { type: 'ephemeral' } }

  test.each([
    ['gpt-5.6-sol', breakpoint, { prompt_cache_options: { mode: 'explicit' } }],
    ['openai/gpt-6', breakpoint, { prompt_cache_options: { mode: 'explicit' } }],
    ['qwen3.7-max', control, {}],
  ])('%s: end the system prompt and what precedes the last two turns, in the provider’s form', async (model, mark, options) => {
    const { body } = await sent('openai_chat', model, played)
    expect(body).toMatchObject(options)
    expect(body.messages.map((message: { content: unknown }) => message.content)).toEqual([
      [{ type: 'text', text: 'Rules.', ...mark }],
      [{ type: 'text', text: 'Go.', ...mark }],
      '',
      [{ type: 'text', text: 'a wall', ...mark }],
      '',
      'a door',
    ])
  })

  test('a single question is not marked, and OpenAI is told to cache no more than the marks', async () => {
    const { body } = await sent('openai_chat', 'gpt-5.6', { ...question, messages: [system, { role: 'user', content: '2 + 2?' }] })
    expect(body.messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Rules.', ...breakpoint }] },
      { role: 'user', content: '2 + 2?' },
    ])
  })

  test('responses: mark the items that a person or a tool said, never a call', async () => {
    const { body } = await sent('openai_responses', 'gpt-5.6', played, responses())
    const text = (said: string) => [{ type: 'input_text', text: said, ...breakpoint }]
    expect(body.input).toEqual([
      { role: 'system', content: text('Rules.') },
      { role: 'user', content: text('Go.') },
      expect.objectContaining({ type: 'function_call', call_id: 'c1' }),
      { type: 'function_call_output', call_id: 'c1', output: text('a wall') },
      expect.objectContaining({ type: 'function_call', call_id: 'c2' }),
      { type: 'function_call_output', call_id: 'c2', output: 'a door' },
    ])
    expect(body.prompt_cache_options).toEqual({ mode: 'explicit' })
  })

  test.each([
    ['openai_chat', 'gpt-5.5'],
    ['openai_chat', 'gpt-35-turbo'],
    ['openai_chat', 'gpt-oss-20b'],
    ['openai_chat', 'Qwen/Qwen3-8B'],
    ['openai_chat', 'deepseek-chat'],
    ['openai_responses', 'qwen3.7-max'],
    ['vllm', 'gpt-5.6'],
  ] as const)('%s with %s: nothing is marked', async (protocol, model) => {
    const said = protocol === 'openai_responses' ? responses() : chat({ content: '4' })
    const { body } = await sent(protocol, model, played, said)
    expect(JSON.stringify(body)).not.toMatch(/cache/)
  })

  test('what is read from the cache and what is written to it is counted', async () => {
    const counted = (usage: object) => ({ ...chat({ content: '4' }), usage })
    const openAi = { prompt_tokens: 9000, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 7000, cache_write_tokens: 1500 } }
    const qwen = {
      prompt_tokens: 9000,
      completion_tokens: 1,
      prompt_tokens_details: {
        cached_tokens: 7000,
        cache_creation_input_tokens: 1500,
        cache_creation: { ephemeral_5m_input_tokens: 1500 },
      },
    }
    const tokens = { inputTokens: 9000, outputTokens: 1, parts: { cachedInput: 7000, cacheWrite: 1500 } }
    expect((await sent('openai_chat', 'gpt-5.6', played, counted(openAi))).usage).toEqual(tokens)
    expect((await sent('openai_chat', 'qwen-plus', played, counted(qwen))).usage).toEqual(tokens)
    const item = { input_tokens: 9000, output_tokens: 1, input_tokens_details: { cached_tokens: 7000, cache_write_tokens: 1500 } }
    expect((await sent('openai_responses', 'gpt-5.6', played, responses({ usage: item }))).usage).toEqual(tokens)
  })
})
