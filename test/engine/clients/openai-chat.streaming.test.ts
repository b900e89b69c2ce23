import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { FailureCode } from '../../../src/contract/runs/failure-codes.ts'
import { storedFiles } from '../../../src/lib/answered-files.ts'
import { httpHead, type WireScript } from '../../journeys/model-server/fault-server.ts'
import { isBillUnknown } from '../../../src/engine/clients/pricing/unknown-bill.ts'
import { answerIn, ask, clientFor, failureIn, faultServer, outcomeOf, textOf } from './client-under-test.ts'
import { completion, delta, done, endOfBody, event, events, finish, fourItIs, httpChunk, reply, usage } from './scripted-replies.ts'

const streaming = { streaming: true }
const emoji = Buffer.from(event(delta('4 – naïve 🦆')) + event(finish()) + done)
const bytesOf = (bytes: Uint8Array): Uint8Array[] => [...bytes].map(byte => Uint8Array.of(byte))

const answers: Readonly<Record<string, readonly [WireScript, object]>> = {
  'a plain stream': [events([...fourItIs, done]), { output: '4 it is', finishReason: 'stop', usage: null }],
  'CRLF line ends': [events([event(delta('4'), '\r\n'), event(finish(), '\r\n'), event('[DONE]', '\r\n')]), { output: '4' }],
  'CR line ends': [events([event(delta('4'), '\r'), event(finish(), '\r'), event('[DONE]', '\r')]), { output: '4' }],
  'every byte by itself': [events(bytesOf(emoji)), { output: '4 – naïve 🦆' }],
  'characters split between chunks': [
    events([emoji.subarray(0, 61), emoji.subarray(61, 63), emoji.subarray(63)]),
    { output: '4 – naïve 🦆' },
  ],
  'comments in between': [events([': ping\n\n', ...fourItIs, ': ping\n\n', done]), { output: '4 it is' }],
  'no [DONE], but a reason': [events(fourItIs), { output: '4 it is', finishReason: 'stop' }],
  'no [DONE], and a connection that stays open': [
    events([...fourItIs, event({ choices: null, usage })], []),
    { output: '4 it is', usage: { inputTokens: 5, outputTokens: 1 } },
  ],
  'events that hold nothing': [events(['data: \n\n', ...fourItIs, 'data:\n\n', done]), { output: '4 it is' }],
  'keep-alives that are no objects': [
    events(['data: null\n\n', 'data: []\n\n', 'data: ping\n\n', ...fourItIs, done]),
    { output: '4 it is' },
  ],
  '[done] in other letters': [events([...fourItIs, 'data: [done]\n\n', 'data: {oops\n\n']), { output: '4 it is' }],
  'an index that is none': [
    events([
      event({ choices: [{ index: null, delta: { content: '4' } }] }),
      event({ choices: [{ index: '0', delta: {}, finish_reason: 'stop' }] }),
    ]),
    { output: '4', finishReason: 'stop' },
  ],
  'a message in one event': [events([event({ choices: [{ message: { content: '4' }, finish_reason: 'stop' }] }), done]), { output: '4' }],
  'a message beside its pieces': [
    events([...fourItIs.slice(0, 2), event({ choices: [{ delta: {}, message: { content: '4 it is' }, finish_reason: 'stop' }] })]),
    { output: '4 it is' },
  ],
  'a stream under another type': [reply(200, fourItIs.join('') + done, { 'content-type': 'application/json' }), { output: '4 it is' }],
  'a stream of no type': [reply(200, `: ok\n\n${fourItIs.join('')}${done}`, { 'content-type': 'text/plain' }), { output: '4 it is' }],
  'a whole reply under the type of a stream': [reply(200, completion(), { 'content-type': 'text/event-stream' }), { output: '4' }],
  'a ping': [events(['event: ping\ndata: {"type":"ping"}\n\n', ...fourItIs, done]), { output: '4 it is' }],
  'content as parts': [
    events([event({ choices: [{ index: 0, delta: { content: [{ type: 'text', text: '4' }] } }] }), event(finish()), done]),
    { output: '4' },
  ],
  'a first chunk without choices': [events([event({ choices: [], prompt_filter_results: [] }), ...fourItIs, done]), { output: '4 it is' }],
  'an empty reason in every chunk': [
    events([event({ choices: [{ index: 0, delta: { content: '4' }, finish_reason: '' }] }), event(finish()), done]),
    { output: '4', finishReason: 'stop' },
  ],
  'a cut after the reason': [events(fourItIs, ['fin']), { output: '4 it is' }],
  'no blank line after the last event': [events([event(delta('4')), 'data: [DONE]']), { output: '4', finishReason: null }],
  '[DONE] twice, and more after it': [events([...fourItIs, done + done + event(delta(' wrong'))]), { output: '4 it is' }],
  'usage in the last chunk': [events([...fourItIs, event({ choices: [], usage }), done]), { usage: { inputTokens: 5, outputTokens: 1 } }],
  'usage that grows': [
    events([event({ ...delta('4'), usage: { ...usage, completion_tokens: 0 } }), event({ ...finish(), usage }), done]),
    { usage: { inputTokens: 5, outputTokens: 1 } },
  ],
  'usage before the end': [
    events([event({ ...delta('4'), usage }), event({ ...finish(), usage: null }), done]),
    { usage: { inputTokens: 5, outputTokens: 1 } },
  ],
  'several choices mixed': [
    events([event(delta('wrong', 1)), event(delta('4')), event(delta('wrong', 1)), event(finish()), done]),
    { output: '4' },
  ],
  'one choice of another index': [
    events([event(delta('4', 1)), event({ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }), done]),
    { output: '4', finishReason: 'stop' },
  ],
  'a function call of old servers': [
    events([
      event({ choices: [{ index: 0, delta: { content: null, function_call: { name: 'add', arguments: '{"x"' } } }] }),
      event({ choices: [{ index: 0, delta: { function_call: { arguments: ':1}' } } }] }),
      event(finish('function_call')),
      done,
    ]),
    { output: '', finishReason: 'function_call', toolCalls: [{ id: '', name: 'add', arguments: '{"x":1}' }] },
  ],
  'a refusal': [
    events([event({ choices: [{ index: 0, delta: { refusal: 'No' } }] }), event(finish()), done]),
    { output: 'No', refused: true },
  ],
  'a whole reply where a stream was asked for': [reply(200, completion()), { output: '4' }],
  'a compressed stream': [
    reply(200, gzipSync(fourItIs.join('') + done), { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }),
    { output: '4 it is' },
  ],
}

const faults: Readonly<Record<string, readonly [WireScript, FailureCode, RegExp]>> = {
  'a tool call without a name': [
    events([
      event({ choices: [{ index: 0, delta: { tool_calls: [{ function: { arguments: '{"a":"\\' } }] } }] }),
      event(finish('tool_calls')),
      done,
    ]),
    'bad_response',
    /ends with tool calls and has none that can be read/,
  ],
  'an end without reason': [events([event(delta('4'))]), 'bad_response', /ended before the answer was complete/],
  'a cut without reason': [events([event(delta('4'))], ['fin']), 'bad_response', /cut its answer off/],
  'nothing but the head': [events([]), 'bad_response', /ended before the answer was complete/],
  'an error event': [
    events([event(delta('4')), 'event: error\n', event({ error: { message: 'overloaded' } })]),
    'rate_limited',
    /“overloaded”/,
  ],
  'an error event of plain text': [events(['event: error\ndata: out of memory\n\n']), 'provider_failure', /“out of memory”/],
  'an error in an event': [events([event({ error: { message: 'x', code: 'rate_limit_exceeded' } })]), 'rate_limited', /asks for a pause/],
  garbage: [events(['data: {oops\n\n']), 'bad_response', /event that is not complete, valid JSON/],
  'an event of another kind': [events([event({ choices: 'none' })]), 'bad_response', /no chat completion chunk/],
  'an event nested too deeply': [events([`data: ${'['.repeat(70)}${']'.repeat(70)}\n\n`]), 'bad_response', /more than 64 levels/],
  'a line of 10 MB': [events(['data: ', ...Array.from({ length: 10 }, () => 'a'.repeat(1_000_000))]), 'response_too_large', /was cut off/],
  'an error status': [reply(503, '{"error":{"message":"loading"}}'), 'provider_failure', /“loading”/],
}

describe('a streamed answer', () => {
  test.each(Object.entries(answers))('%s', async (_, [script, expected]) => {
    expect(await outcomeOf(script, streaming)).toMatchObject({ ok: true, ...expected })
  })

  test('is recorded byte for byte', async () => {
    const answer = answerIn(await outcomeOf(events([...fourItIs, done]), streaming))
    expect(textOf(answer.response)).toBe(fourItIs.join('') + done)
  })

  test('is parsed although none was requested', async () => {
    expect(answerIn(await outcomeOf(events([...fourItIs, done]))).output).toBe('4 it is')
  })
})

describe('a stream that is no answer', () => {
  test.each(Object.entries(faults))('%s', async (_, [script, code, message]) => {
    expect(await outcomeOf(script, streaming)).toMatchObject({ ok: false, code, message: expect.stringMatching(message) })
  })

  test('keeps what came before the fault', async () => {
    const failure = failureIn(await outcomeOf(events([event(delta('4')), 'event: error\n', event({ error: 'x' })]), streaming))
    expect(textOf(failure.response)).toContain('"content":"4"')
  })

  test('that never ends is cut off at the size limit', async () => {
    const endless: WireScript = [...events([], []), { repeat: httpChunk(event(delta('word '))), everyMs: 0 }]
    const failure = failureIn(await outcomeOf(endless, { ...streaming, maxResponseBytes: 100_000 }))
    expect(failure.code).toBe('response_too_large')
    expect(failure.response?.length).toBe(100_000)
  })
})

test('a stream that continues after the stop reason without [DONE] is cut off too', async () => {
  const endless: WireScript = [...events(fourItIs, []), { repeat: httpChunk(event(delta('word '))), everyMs: 0 }]
  expect(await outcomeOf(endless, { ...streaming, maxResponseBytes: 100_000 })).toMatchObject({ ok: false, code: 'response_too_large' })
})

describe('after [DONE]', () => {
  test('the answer is there though the server never ends the response, and the connection is given up', async () => {
    const server = await faultServer(events([...fourItIs, done], []))
    expect(answerIn(await ask(clientFor(server.baseUrl, streaming))).output).toBe('4 it is')
    await server.left(0)
  })

  test('an endless response is aborted', async () => {
    const server = await faultServer([...events([...fourItIs, done], []), { repeat: httpChunk(event(delta('word '))), everyMs: 0 }])
    expect(answerIn(await ask(clientFor(server.baseUrl, streaming))).output).toBe('4 it is')
    await server.left(0)
  })

  test('a response that ends leaves the connection for the next call', async () => {
    const server = await faultServer([...events([...fourItIs, done], []), { waitMs: 10 }, endOfBody])
    const client = clientFor(server.baseUrl, { ...streaming, connections: 1 })
    expect((await ask(client)).ok).toBe(true)
    expect((await ask(client)).ok).toBe(true)
    expect(server.connections()).toBe(1)
  })
})

test('a stream with a wrong content type is recognized by its text', async () => {
  const script: WireScript = [{ send: httpHead(200, { 'content-type': 'text/plain' }) }, { send: fourItIs.join('') }, 'fin']
  expect(answerIn(await outcomeOf(script, streaming)).output).toBe('4 it is')
})

test('a streamed picture is noted, whole where it has millions of characters, and the text beside it is the answer', async () => {
  const images = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(3_000_000)}` } }]
  const drawn = event({ choices: [{ index: 0, delta: { images } }] })
  const outcome = answerIn(await outcomeOf(events([fourItIs[0] ?? '', drawn, ...fourItIs.slice(1), done]), streaming))
  expect(outcome).toMatchObject({ output: '4 it is', notes: [expect.objectContaining({ code: 'answer_holds_files' })] })
  expect(storedFiles(textOf(outcome.response) ?? '').map(({ base64 }) => base64?.length)).toEqual([3_000_000])
  expect(answerIn(await outcomeOf(events([...fourItIs, done]), streaming)).notes ?? []).toEqual([])
})

type Piece = { readonly index?: number; readonly id?: string | null; readonly function?: object; readonly extra_content?: object }
const pieces = (...calls: readonly Piece[]) => calls.map(call => event({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }))
const ends = [event(finish('tool_calls')), done]
const [add, pay] = [
  { id: 'a', name: 'add', arguments: '{"x":1}' },
  { id: 'b', name: 'pay', arguments: '{"y":2}' },
]
const pieced: Readonly<Record<string, readonly Piece[]>> = {
  'by index': [
    { index: 0, id: 'a', function: { name: 'add', arguments: '' } },
    { index: 1, id: 'b', function: { name: 'pay', arguments: '{"y"' } },
    { index: 0, function: { arguments: '{"x":' } },
    { index: 1, id: null, function: { name: '', arguments: ':2}' } },
    { index: 0, function: { arguments: '1}' } },
  ],
  'by id': [
    { id: 'a', function: { name: 'add', arguments: '{"x"' } },
    { id: 'b', function: { name: 'pay', arguments: '{"y":2}' } },
    { id: 'a', function: { arguments: ':1}' } },
  ],
  'by their order': [
    { id: 'a', function: { name: 'add' } },
    { id: 'a', function: { arguments: '{"x":1}' } },
    { id: 'b', function: { name: 'pay', arguments: '{"y"' } },
    { function: { arguments: ':2}' } },
  ],
  'by ids of one index': [
    { index: 0, id: 'a', function: { name: 'add', arguments: '{"x":1}' } },
    { index: 0, id: 'b', function: { name: 'pay', arguments: '{"y":2}' } },
  ],
  // poolsideai/pool#9
  'by index where each piece has another id': [
    { index: 0, id: 'a', function: { name: 'add', arguments: '{"x"' } },
    { index: 0, id: 'a2', function: { arguments: ':1}' } },
    { index: 1, id: 'b', function: { name: 'pay', arguments: '{"y"' } },
    { index: 1, id: 'b2', function: { arguments: ':2}' } },
  ],
  // dirac-run/dirac#215
  'by their order where the index counts pieces': [
    { index: 0, id: 'a', function: { name: 'add', arguments: '{"x"' } },
    { index: 1, function: { arguments: ':1}' } },
    { index: 2, id: 'b', function: { name: 'pay', arguments: '{"y"' } },
    { index: 3, function: { arguments: ':2' } },
    { index: 4, function: { arguments: '}' } },
  ],
  'with the name in each': [
    { index: 0, id: 'a', function: { name: 'add', arguments: '{"x"' } },
    { index: 0, id: 'a', function: { name: 'add', arguments: ':1}' } },
    { index: 1, id: 'b', function: { name: 'pay', arguments: { y: 2 } } },
  ],
}

test.each(Object.entries(pieced))('tool calls in pieces are put together %s', async (_, sent) => {
  const answer = answerIn(await outcomeOf(events([...pieces(...sent), ...ends])))
  expect(answer).toMatchObject({ output: '', finishReason: 'tool_calls', toolCalls: [add, pay] })
})

test('what came with tool calls in pieces is kept for the next turn', async () => {
  const thought = (text: string) => event({ choices: [{ index: 0, delta: { reasoning_content: text } }] })
  const call: Piece = { index: 0, id: 'a', function: { name: 'add', arguments: '{"x":1}' }, extra_content: { google: 'signed' } }
  const answer = answerIn(await outcomeOf(events([thought('Add '), thought('them.'), ...pieces(call), ...ends])))
  expect(answer).toMatchObject({ reasoning: 'Add them.', toolCalls: [add] })
  expect(answer.carried).toEqual({
    content: null,
    reasoning_content: 'Add them.',
    tool_calls: [{ extra_content: { google: 'signed' } }],
  })
})

test('signed thoughts in pieces are kept block by block', async () => {
  const thought = (fields: object) => event({ choices: [{ index: 0, delta: fields }] })
  const block = (index: number, fields: object) => thought({ reasoning_details: [{ type: 'reasoning.text', index, ...fields }] })
  const sent = [
    block(0, { text: 'Add ' }),
    block(0, { text: 'them.' }),
    block(0, { signature: 'sig' }),
    block(1, { text: 'Then pay.' }),
    thought({ reasoning_details: [{ type: 'reasoning.encrypted', index: 2, data: 'xyz' }], extra_content: { google: 'signed' } }),
    ...pieces({ index: 0, id: 'a', function: { name: 'add', arguments: '{"x":1}' } }),
  ]
  expect(answerIn(await outcomeOf(events([...sent, ...ends]))).carried).toEqual({
    content: null,
    reasoning_details: [
      { type: 'reasoning.text', index: 0, text: 'Add them.', signature: 'sig' },
      { type: 'reasoning.text', index: 1, text: 'Then pay.' },
      { type: 'reasoning.encrypted', index: 2, data: 'xyz' },
    ],
    extra_content: { google: 'signed' },
  })
})

const half = [event(delta('4')), event({ error: { message: 'upstream died', code: 502 } })]
const counted = { inputTokens: 5, outputTokens: 1 }
const lost = pieces({ function: { arguments: '{"a"' } })
const broken: Readonly<Record<string, readonly [WireScript, object, boolean]>> = {
  'lost tool calls with a count': [
    events([...lost, event({ choices: [], usage }), ...ends]),
    { code: 'bad_response', usage: counted },
    false,
  ],
  'lost tool calls without a count': [events([...lost, ...ends]), { code: 'bad_response' }, true],
  'an error that is a timeout': [
    events([event({ choices: [], usage }), half[0] ?? '', event({ error: { message: 'timed out', code: 408 } })]),
    { code: 'timeout', usage: counted },
    false,
  ],
  'half an answer without a count': [events(half), { usage: null }, true],
  'half an answer with a count': [events([event({ choices: [], usage }), ...half]), { usage: counted }, false],
  'half an answer with its price': [
    events([event({ choices: [], usage: { ...usage, cost: 0.5 } }), ...half]),
    { statedPicoUsd: 500_000_000_000 },
    false,
  ],
  'an answer that had ended': [events([...fourItIs, event({ choices: [], usage }), ...half.slice(1)]), { usage: counted }, false],
  'nothing before the error': [events(half.slice(1)), {}, false],
  'an error beside an answer': [reply(200, completion({ error: { message: 'x', code: 502 } })), { usage: counted }, false],
  'an error beside an answer without a count': [reply(200, completion({ error: { message: 'x' }, usage: null })), { usage: null }, true],
  'an error beside nothing': [reply(200, completion({ error: { message: 'x' }, usage: null }, { content: null })), {}, false],
  'an answer that the provider broke off': [reply(200, completion({ usage: null }, {}, 'error')), { usage: null }, true],
}

test.each(Object.entries(broken))('%s: what the failure costs is known or said to be unknown', async (_, [script, expected, isUnknown]) => {
  const failure = failureIn(await outcomeOf(script, streaming))
  expect(failure).toMatchObject({ code: 'provider_failure', ...expected })
  expect(isBillUnknown(failure)).toBe(isUnknown)
  expect('usage' in failure).toBe('usage' in expected || 'statedPicoUsd' in expected)
})
