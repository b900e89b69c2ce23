import { describe, expect, it, onTestFinished } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { createAgentClient } from '../../../src/engine/clients/agents/agent-client.ts'
import { type AgentServerOptions, startAgentServer } from '../../journeys/model-server/agent-server.ts'
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
  it('is reached without being set to work', async () => {
    const { server, client } = await agent({ binding })
    expect(await client.reach?.({ signal })).toMatchObject({ ok: true, description: `Scripted agent 1.2, ${binding}` })
    expect(server.operations()).toEqual(['GetTask'])
    expect(server.versions()).toEqual(['1.0', '1.0'])
  })

  it('answers by a message, with what could not be sent noted', async () => {
    const { client } = await agent({ binding })
    const outcome = await client.call(question, { signal })
    expect(answerIn(outcome)).toMatchObject({ output: 'heard: SYSTEM:\nBe brief.\n\nUSER:\nWhat is 2 + 2?', usage: null })
    expect(outcome.notes?.map(({ message }) => /“(\w+)”/.exec(message)?.[1] ?? 'messages')).toEqual([
      'temperature',
      'max_output_tokens',
      'messages',
    ])
  })

  it('polls a task until it has ended and keeps every call', async () => {
    const { server, client } = await agent({ binding, taskStates: ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'] })
    const answer = answerIn(await client.call(question, { signal }))
    expect(answer).toMatchObject({ output: expect.stringMatching(/^heard/), finishReason: 'TASK_STATE_COMPLETED' })
    expect(server.operations()).toEqual(['SendMessage', 'GetTask', 'GetTask'])
    expect(answer.earlier).toHaveLength(2)
    expect(textOf(answer.earlier?.[0]?.request ?? null)).toContain('ROLE_USER')
  })

  it('refuses a wrong key as every provider does', async () => {
    const { client } = await agent({ binding }, 'sk-wrong-key-000000')
    expect(failureIn(await client.call(question, { signal })).code).toBe('credential_refused')
    expect(await client.reach?.({ signal })).toMatchObject({ ok: false, code: 'credential_refused' })
  })

  it('that fails its task has failed, and one that never ends is out of time', async () => {
    const failing = await agent({ binding, taskStates: ['TASK_STATE_FAILED'] })
    expect(failureIn(await failing.client.call(question, { signal })).code).toBe('provider_failure')
    const endless = await agent({ binding, taskStates: ['TASK_STATE_WORKING'] }, apiKey, 60)
    expect(failureIn(await endless.client.call(question, { signal })).code).toBe('timeout')
  })

  it.each([429, 500])('has its task cancelled when it answers a look at it with %d', async failsLooks => {
    const { server, client } = await agent({ binding, taskStates: ['TASK_STATE_WORKING'], failsLooks })
    const failure = failureIn(await client.call(question, { signal }))
    expect(server.operations()).toEqual(['SendMessage', 'GetTask', 'CancelTask'])
    expect(textOf(failure.earlier?.at(-1)?.request ?? null)).toEqual(
      binding === 'JSONRPC' ? expect.stringContaining('CancelTask') : '{"id":"task-1"}',
    )
  })
})

describe('a card', () => {
  it.each([
    [{ name: 'x', preferredTransport: 'JSONRPC', url: 'http://127.0.0.1/' }, 'A2A 0.3'],
    [{ hello: 1 }, 'no agent card'],
    [{ name: 'x', supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'GRPC', protocolVersion: '1.0' }] }, 'no interface'],
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
