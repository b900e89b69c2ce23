import { describe, expect, onTestFinished, test } from 'vitest'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { createAgentClient } from '../../../src/engine/clients/agents/agent-client.ts'
import type { ModelRequest } from '../../../src/engine/clients/model-client.ts'
import { startSdkAgentServer } from '../../journeys/model-server/sdk-agent-server.ts'
import { answerIn, apiKey, failureIn, textOf } from './client-under-test.ts'

const never = new AbortController().signal
const asking = (content: string): ModelRequest => ({
  messages: [{ role: 'user', content }],
  temperature: null,
  maxOutputTokens: 64,
  stop: [],
})

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('the official SDK’s server by %s', binding => {
  async function agent(streaming: boolean, key: string = apiKey, attemptTimeoutMs = 60_000) {
    const server = await startSdkAgentServer(binding, apiKey)
    const client = createAgentClient({
      baseUrl: server.cardUrl,
      apiKey: key,
      headers: {},
      attemptTimeoutMs,
      connections: 4,
      addressPolicy: createAddressPolicy({ ownOrigin: null }),
      pollMs: 5,
      streaming,
    })
    onTestFinished(async () => {
      await client.close()
      await server.close()
    })
    return { server, client }
  }
  const ask = async (client: Awaited<ReturnType<typeof agent>>['client'], text: string, signal = never) =>
    client.call(asking(text), { signal })

  test('is reached, and refuses a wrong key', async () => {
    const { client, server } = await agent(false)
    expect(await client.reach?.({ signal: never })).toMatchObject({ ok: true, description: `Agent of the SDK 1.3, ${binding}` })
    expect(server.operations()).toHaveLength(1)
    const stranger = await agent(false, 'sk-wrong-key-000000')
    expect(failureIn(await ask(stranger.client, 'say no')).code).toBe('credential_refused')
    expect(await stranger.client.reach?.({ signal: never })).toMatchObject({ ok: false, code: 'credential_refused' })
  })

  test.each([false, true])('answers by a message and by a task, streaming: %s', async streaming => {
    const { client } = await agent(streaming)
    expect(answerIn(await ask(client, 'say hello there'))).toMatchObject({ output: 'hello there', finishReason: 'message' })
    const worked = answerIn(await ask(client, 'work forty-two'))
    expect(worked).toMatchObject({ output: 'forty-two', finishReason: 'TASK_STATE_COMPLETED' })
    expect(textOf(worked.response)).toContain(streaming ? 'data: ' : '"TASK_STATE_COMPLETED"')
  })

  test.each([false, true])('says what went wrong in the task and in the agent, streaming: %s', async streaming => {
    const { client } = await agent(streaming)
    const failed = failureIn(await ask(client, 'fail'))
    expect(failed).toMatchObject({ code: 'provider_failure', message: expect.stringContaining('TASK_STATE_FAILED') })
    expect(failureIn(await ask(client, 'throw'))).toMatchObject({ code: 'provider_failure' })
  })

  test('stops work after the caller aborts', async () => {
    const { client, server } = await agent(false)
    const stop = new AbortController()
    const asked = ask(client, 'hang', stop.signal)
    // The second look means that the task is known.
    await expect.poll(() => server.operations().length).toBeGreaterThan(1)
    stop.abort()
    expect(failureIn(await asked).code).toBe('cancelled')
    expect(server.cancelled()).toHaveLength(1)
  })

  test('stops working on a task that it streamed when its time is over', async () => {
    const { client, server } = await agent(true, apiKey, 1_000)
    const failure = failureIn(await ask(client, 'hang'))
    expect(failure.code).toBe('timeout')
    expect(server.cancelled()).toHaveLength(1)
    expect(textOf(failure.earlier?.at(-1)?.response ?? null)).toContain('TASK_STATE_CANCELED')
  })
})
