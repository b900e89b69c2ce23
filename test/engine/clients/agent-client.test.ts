import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { createAgentClient } from '../../../src/engine/clients/agents/agent-client.ts'
import { type AgentServerOptions, startAgentServer } from '../../journeys/model-server/agent-server.ts'
import { listen } from '../../journeys/model-server/listen.ts'
import { answerIn, apiKey, failureIn, question, textOf } from './client-under-test.ts'

const signal = new AbortController().signal

async function agent(options: Partial<AgentServerOptions> = {}, key: string | null = apiKey, attemptTimeoutMs = 5_000) {
  const server = await startAgentServer({ binding: 'JSONRPC', key: apiKey, says: text => `heard: ${text}`, ...options })
  const client = createAgentClient({
    baseUrl: server.cardUrl,
    apiKey: key,
    headers: {},
    attemptTimeoutMs,
    connections: 2,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    pollMs: 1,
  })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  return { server, client }
}

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('by %s', binding => {
  test('is reached without being set to work', async () => {
    const { server, client } = await agent({ binding })
    expect(await client.reach?.({ signal })).toMatchObject({ ok: true, description: `Scripted agent 1.2, ${binding}` })
    expect(server.operations()).toEqual(['GetTask'])
    expect(server.versions()).toEqual(['1.0', '1.0'])
  })

  test('answers by a message, with what could not be sent noted', async () => {
    const { client } = await agent({ binding })
    const outcome = await client.call(question, { signal })
    expect(answerIn(outcome)).toMatchObject({ output: 'heard: SYSTEM:\nBe brief.\n\nUSER:\nWhat is 2 + 2?', usage: null })
    expect(outcome.notes?.map(({ message }) => /“(\w+)”/.exec(message)?.[1] ?? 'messages')).toEqual([
      'temperature',
      'max_output_tokens',
      'messages',
    ])
  })

  test('polls a task until it has ended and keeps every call', async () => {
    const { server, client } = await agent({ binding, taskStates: ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'] })
    const answer = answerIn(await client.call(question, { signal }))
    expect(answer).toMatchObject({ output: expect.stringMatching(/^heard/), finishReason: 'TASK_STATE_COMPLETED' })
    expect(server.operations()).toEqual(['SendMessage', 'GetTask', 'GetTask'])
    expect(answer.earlier).toHaveLength(2)
    expect(textOf(answer.earlier?.[0]?.request ?? null)).toContain('ROLE_USER')
  })

  test('refuses a wrong key as every provider does', async () => {
    const { client } = await agent({ binding }, 'sk-wrong-key-000000')
    expect(failureIn(await client.call(question, { signal })).code).toBe('credential_refused')
    expect(await client.reach?.({ signal })).toMatchObject({ ok: false, code: 'credential_refused' })
  })

  test('that fails its task has failed, and one that never ends is out of time', async () => {
    const failing = await agent({ binding, taskStates: ['TASK_STATE_FAILED'] })
    expect(failureIn(await failing.client.call(question, { signal })).code).toBe('provider_failure')
    const endless = await agent({ binding, taskStates: ['TASK_STATE_WORKING'] }, apiKey, 60)
    expect(failureIn(await endless.client.call(question, { signal })).code).toBe('timeout')
  })

  test.each([429, 500, 502])('is looked at again when it answers a look with %d', async status => {
    const { server, client } = await agent({
      binding,
      taskStates: ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'],
      failsLooks: [status, status],
    })
    expect(answerIn(await client.call(question, { signal })).output).toMatch(/^heard/)
    expect(server.operations()).toEqual(['SendMessage', 'GetTask', 'GetTask', 'GetTask'])
  })

  test('has its task cancelled when no look is answered until the time is over', async () => {
    const { server, client } = await agent(
      { binding, taskStates: ['TASK_STATE_WORKING'], failsLooks: [500], alwaysFails: true },
      apiKey,
      200,
    )
    const failure = failureIn(await client.call(question, { signal }))
    expect(failure.code).toBe('timeout')
    expect(server.operations().filter(operation => operation !== 'GetTask')).toEqual(['SendMessage', 'CancelTask'])
    expect(textOf(failure.earlier?.at(-1)?.request ?? null)).toEqual(
      binding === 'JSONRPC' ? expect.stringContaining('CancelTask') : '{"id":"task-1"}',
    )
  })

  test.each([
    ['TASK_STATE_AUTH_REQUIRED', 'credential_refused', 'requires authorization before it continues'],
    ['TASK_STATE_INPUT_REQUIRED', 'bad_request', 'asks for more input instead of answering'],
    ['TASK_STATE_FAILED', 'provider_failure', 'TASK_STATE_FAILED): “Which account?”'],
  ])('that stops at %s has no answer, says why and is not worked on any longer', async (state, code, words) => {
    const { server, client } = await agent({ binding, taskStates: [state], statusText: 'Which account?' })
    expect(failureIn(await client.call(question, { signal }))).toMatchObject({ code, message: expect.stringContaining(words) })
    expect(server.operations().includes('CancelTask')).toBe(state !== 'TASK_STATE_FAILED')
  })

  test.each([
    [[{ artifactId: 'a', parts: [{ data: { answer: 4 } }] }], '{"answer":4}', undefined],
    [[{ artifactId: 'a', parts: [{ raw: Buffer.from('four').toString('base64'), mediaType: 'text/plain' }] }], 'four', undefined],
    [
      [{ artifactId: 'a', parts: [{ text: 'See ' }, { url: 'https://example.com/x.png', mediaType: 'image/png', filename: 'x.png' }] }],
      'See \n[File x.png: image/png, https://example.com/x.png]',
      undefined,
    ],
    [[{ artifactId: 'a', parts: [{ raw: 'AAAA', mediaType: 'image/png' }] }], '[File without a name: image/png, 3 bytes]', undefined],
    [
      [
        { artifactId: 'l', name: 'Working log', parts: [{ text: 'step 1' }] },
        { artifactId: 'b', parts: [{ text: 'four' }] },
      ],
      'four',
      'step 1',
    ],
    [
      [
        { artifactId: 'x', parts: [{ text: 'draft' }] },
        { artifactId: 'final-answer', parts: [{ text: 'four' }] },
      ],
      'four',
      undefined,
    ],
    [[{ artifactId: 'log', parts: [{ text: 'four' }] }], 'four', undefined],
    [
      [
        { artifactId: 'catalog', parts: [{ text: 'one' }] },
        { artifactId: 'b', parts: [{ text: 'two' }] },
      ],
      'one\n\ntwo',
      undefined,
    ],
  ])('with artifacts like %j answers %j', async (artifacts, output, reasoning) => {
    const { client } = await agent({ binding, taskStates: ['TASK_STATE_COMPLETED'], artifacts: () => artifacts })
    const answer = answerIn(await client.call(question, { signal }))
    expect({ output: answer.output, reasoning: answer.reasoning }).toEqual({ output, reasoning })
  })
})

test('whose stream is cut off is asked for the same task, and sent nothing again', async () => {
  const methods: string[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const { port } = z.object({ port: z.number() }).parse(server.address())
      const url = `http://127.0.0.1:${port}/rpc`
      response.end(JSON.stringify({ name: 'x', supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }))
      return
    }
    void text(request).then(body => {
      const { id, method } = z.object({ id: z.string(), method: z.string() }).parse(JSON.parse(body))
      methods.push(method)
      const reply = (result: object) => JSON.stringify({ jsonrpc: '2.0', id, result })
      if (method === 'SendStreamingMessage') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${reply({ task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } })}\n\n`, () => response.destroy())
        return
      }
      const state = methods.length < 3 ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED'
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(reply({ id: 't', status: { state }, artifacts: [{ parts: [{ text: 'four' }] }] }))
    })
  })
  const { baseUrl, close } = await listen(server, 0)
  const client = createAgentClient({
    baseUrl: `${baseUrl}/card`,
    apiKey: null,
    headers: {},
    attemptTimeoutMs: 60_000,
    connections: 1,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    pollMs: 1,
    streaming: true,
  })
  onTestFinished(async () => {
    await client.close()
    await close()
  })
  expect(answerIn(await client.call(question, { signal })).output).toBe('four')
  expect(methods).toEqual(['SendStreamingMessage', 'GetTask', 'GetTask'])
})

describe('an agent of A2A 0.3', () => {
  test('answers by a message, and by a task in its own words for states and parts', async () => {
    const plain = await agent({ protocol: '0.3' })
    expect(await plain.client.reach?.({ signal })).toMatchObject({ ok: true, description: 'Scripted agent 1.2, JSONRPC of A2A 0.3' })
    expect(answerIn(await plain.client.call(question, { signal }))).toMatchObject({
      output: expect.stringMatching(/^heard/),
      finishReason: 'message',
    })
    const file = (text: string) => [
      {
        artifactId: 'a',
        parts: [{ kind: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: Buffer.from(text).toString('base64') } }],
      },
    ]
    const working = await agent({ protocol: '0.3', taskStates: ['submitted', 'working', 'completed'], artifacts: file })
    expect(answerIn(await working.client.call(question, { signal }))).toMatchObject({
      output: expect.stringMatching(/^heard/),
      finishReason: 'TASK_STATE_COMPLETED',
    })
    const asking = await agent({ protocol: '0.3', taskStates: ['input-required'] })
    expect(failureIn(await asking.client.call(question, { signal })).code).toBe('bad_request')
    // Its card was asked for as 1.0, since one server may have both.
    expect(working.server.versions()).toEqual(['1.0', undefined, undefined, undefined])
  })
})

describe('a card', () => {
  test.each([
    [{ name: 'x', preferredTransport: 'GRPC', url: 'http://127.0.0.1/' }, 'offers GRPC 0.3.0'],
    [{ name: 'x', protocolVersion: '0.1.0', url: 'http://127.0.0.1/' }, 'offers JSONRPC 0.1.0'],
    [{ name: 'x' }, 'offers no interface'],
    [{ hello: 1 }, 'no agent card'],
    [
      { name: 'x', supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'GRPC', protocolVersion: '1.0' }] },
      'offers GRPC 1.0',
    ],
    [
      { name: 'x', supportedInterfaces: [{ url: 'http://127.0.0.1:1/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] },
      'another origin',
    ],
  ])('like %j is refused', async (card, problem) => {
    const { client, server } = await agent({ card })
    expect(failureIn(await client.call(question, { signal }))).toMatchObject({
      code: 'bad_response',
      message: expect.stringContaining(problem),
    })
    expect(server.operations()).toEqual([])
  })
})
