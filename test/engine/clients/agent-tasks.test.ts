import { describe, expect, test } from 'vitest'
import { abandonWork, newWork } from '../../../src/engine/clients/model-client.ts'
import { createScheduler } from '../../../src/engine/execution/scheduler/scheduler.ts'
import { planWith, portsWith } from '../execution/scheduler/fixtures.ts'
import { memoryStore } from '../execution/scheduler/memory-store.ts'
import { answerIn, failureIn, question } from './client-under-test.ts'
import { answering, interfaceOf, scriptedAgent, taskIn } from './scripted-agent.ts'

const { signal } = new AbortController()
const working = (id: string) => ({ result: taskIn(id, 'WORKING') })
const completed = (id: string, more: object = answering('42')) => ({ result: taskIn(id, 'COMPLETED', more) })
/** A task that was told of by the message that began it. */
const begun = (id: string) => ({ result: { task: taskIn(id, 'WORKING') } })

describe('a task whose look fails', () => {
  test.each([
    ['a gateway’s error', { status: 502 }],
    ['a reset connection', 'reset'],
    ['an internal error of the agent', { error: { code: -32603, message: 'Internal error' } }],
  ] as const)('is looked at again after %s, and asked for once', async (_what, failing) => {
    const { client, methods } = await scriptedAgent({
      script: (method, task, nth) =>
        method === 'SendMessage' ? begun(task) : nth === 2 || nth === 3 ? failing : nth < 5 ? working(task) : completed(task),
    })
    expect(answerIn(await client.call(question, { signal })).output).toBe('42')
    expect(methods()).toEqual(['SendMessage', 'GetTask', 'GetTask', 'GetTask', 'GetTask', 'GetTask'])
  })

  test('is gone on with by the next attempt after a throttled look', async () => {
    const { client, methods } = await scriptedAgent({
      script: (method, task, nth) =>
        method === 'SendMessage' ? begun(task) : nth === 1 ? { status: 429, headers: { 'retry-after': '7' } } : completed(task),
    })
    const work = newWork()
    expect(failureIn(await client.call(question, { signal, work }))).toMatchObject({ code: 'rate_limited', retryAfterMs: 7_000 })
    expect(answerIn(await client.call(question, { signal, work })).output).toBe('42')
    expect(methods()).toEqual(['SendMessage', 'GetTask', 'GetTask'])
    expect(work.task).toBeNull()
  })

  test('costs a run no second message, whatever its looks are answered with', async () => {
    const agent = await scriptedAgent({
      script: (method, task, nth) => {
        if (method === 'SendMessage') return begun(task)
        if (nth === 1) return { status: 429, headers: { 'retry-after-ms': '5' } }
        if (nth === 2) return { status: 503, headers: { 'retry-after-ms': '5' } }
        return nth === 3 ? 'reset' : completed(task)
      },
    })
    const store = memoryStore(3)
    const limits = { maxConcurrency: 2, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'adapt' } as const
    const plan = planWith(() => ({}) as never, { settings: { max_attempts: 1 } })
    const model = { kind: 'endpoint', endpoint: 'e', client: agent.client, limits } as const
    expect(await createScheduler(portsWith(store)).run({ ...plan, model })).toEqual({ kind: 'done' })
    expect(store.counts()).toEqual({ scored: 3 })
    const { SendMessage = [], CancelTask = [] } = Object.groupBy(agent.methods(), method => method)
    expect([SendMessage.length, CancelTask.length]).toEqual([3, 0])
  })

  test('is cancelled once where its caller abandons it', async () => {
    const { client, methods } = await scriptedAgent({
      script: (method, task) => (method === 'SendMessage' ? begun(task) : { status: 429 }),
    })
    const work = newWork()
    expect(failureIn(await client.call(question, { signal, work })).code).toBe('rate_limited')
    expect([await abandonWork(work), await abandonWork(work)]).toEqual([true, false])
    expect(methods()).toEqual(['SendMessage', 'GetTask', 'CancelTask'])
  })
})

describe('a stream that is cut', () => {
  const first = (id: string) => ({ events: [{ task: taskIn(id, 'WORKING') }], cut: true }) as const

  test('goes on as looks at the same task', async () => {
    const { client, methods } = await scriptedAgent(
      { script: (method, task, nth) => (method === 'SendStreamingMessage' ? first(task) : nth < 2 ? working(task) : completed(task)) },
      { streaming: true },
    )
    expect(answerIn(await client.call(question, { signal })).output).toBe('42')
    expect(methods()).toEqual(['SendStreamingMessage', 'GetTask', 'GetTask'])
  })

  test('is subscribed to again where the agent keeps no tasks to look at', async () => {
    const { client, methods } = await scriptedAgent(
      {
        script: (method, task) => {
          if (method === 'SendStreamingMessage') return first(task)
          if (method === 'GetTask') return { error: { code: -32601, message: 'Method not found' } }
          return {
            events: [
              { artifactUpdate: { taskId: task, artifact: { artifactId: 'a', parts: [{ text: '4' }] } } },
              { artifactUpdate: { taskId: task, artifact: { artifactId: 'a', parts: [{ text: '2' }] }, append: true, lastChunk: true } },
              { statusUpdate: { taskId: task, status: { state: 'TASK_STATE_COMPLETED' } } },
            ],
          }
        },
      },
      { streaming: true },
    )
    expect(answerIn(await client.call(question, { signal })).output).toBe('42')
    expect(methods()).toEqual(['SendStreamingMessage', 'GetTask', 'SubscribeToTask'])
  })

  test('is whole where it had told of the task’s end', async () => {
    const events = (id: string) => [{ task: taskIn(id, 'COMPLETED', answering('42')) }]
    const { client, methods } = await scriptedAgent(
      { script: (_method, task) => ({ events: events(task), cut: true }) },
      { streaming: true },
    )
    expect(answerIn(await client.call(question, { signal })).output).toBe('42')
    expect(methods()).toEqual(['SendStreamingMessage'])
  })
})

describe('a task without an answer', () => {
  test.each([
    ['AUTH_REQUIRED', 'credential_refused', 'requires authorization'],
    ['INPUT_REQUIRED', 'bad_request', 'asks for more input'],
    ['REJECTED', 'bad_request', 'rejected the task'],
    ['CANCELED', 'bad_request', 'was canceled'],
    ['FAILED', 'provider_failure', 'failed the task'],
    ['SOMETHING_NEW', 'bad_request', 'state that Assay does not know'],
  ])('ends with its reason and the agent’s words: %s', async (state, code, reason) => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Which city?' }] }
    const { client } = await scriptedAgent({
      script: (_method, task) => ({ result: { task: { id: task, status: { state: `TASK_STATE_${state}`, message } } } }),
    })
    const failure = failureIn(await client.call(question, { signal }))
    expect(failure.code).toBe(code)
    expect(failure.message).toContain(reason)
    expect(failure.message).toContain('“Which city?”')
  })

  test.each([
    [{ code: -32000, message: 'Rate limit exceeded, try again in 3s' }, 'rate_limited', 3_000],
    [{ code: -32005, message: 'Incompatible content types' }, 'bad_request', null],
    [{ code: -32603, message: 'Insufficient balance' }, 'quota_exhausted', null],
    [{ code: -32000, message: 'You have exceeded your quota of 50 requests per day.' }, 'quota_exhausted', null],
    [{ code: 429, message: 'Slow down.' }, 'rate_limited', null],
  ])('is told from an error of the agent: %j', async (error, code, retryAfterMs) => {
    const { client } = await scriptedAgent({ script: () => ({ error }) })
    expect(failureIn(await client.call(question, { signal }))).toMatchObject({ code, retryAfterMs })
  })
})

test('answers with its last message where a task has neither artifacts nor a final one', async () => {
  const say = (role: string, text: string) => ({ messageId: text, role, parts: [{ text }] })
  const history = [say('ROLE_USER', 'q'), say('ROLE_AGENT', 'wait'), say('ROLE_AGENT', '42'), say('ROLE_USER', 'thanks')]
  const { client } = await scriptedAgent({ script: (_method, task) => completed(task, { history }) })
  expect(answerIn(await client.call(question, { signal })).output).toBe('42')
})

test('keeps parts that are marked as thoughts apart from the answer', async () => {
  const parts = [{ text: 'Let me see.', metadata: { adk_thought: true } }, { text: '42' }]
  const { client } = await scriptedAgent({ script: (_method, task) => completed(task, { artifacts: [{ artifactId: 'a', parts }] }) })
  expect(answerIn(await client.call(question, { signal }))).toMatchObject({ output: '42', reasoning: 'Let me see.' })
})

describe('a card', () => {
  const older = (origin: string, more: object = {}) => ({
    name: 'Old',
    protocolVersion: '0.3.0',
    url: `${origin}/rpc`,
    preferredTransport: 'JSONRPC',
    ...more,
  })
  const olderTask = (id: string, state: string, more: object = {}) => ({ kind: 'task', id, contextId: 'c', status: { state }, ...more })

  test('of 0.3 is spoken to in 0.3', async () => {
    const { client, requests } = await scriptedAgent({
      card: origin => older(origin),
      cardPath: '/.well-known/agent.json',
      script: (method, task) => ({
        result:
          method === 'message/send'
            ? olderTask(task, 'submitted')
            : olderTask(task, 'completed', { artifacts: [{ artifactId: 'a', parts: [{ kind: 'data', data: { x: 1 } }] }] }),
      }),
    })
    expect(answerIn(await client.call(question, { signal }))).toMatchObject({ output: '{"x":1}', finishReason: 'TASK_STATE_COMPLETED' })
    expect(requests.map(({ method, version }) => [method, version])).toEqual([
      ['message/send', undefined],
      ['tasks/get', undefined],
    ])
    expect(requests[0]?.params).toMatchObject({ message: { kind: 'message', role: 'user' }, configuration: { blocking: false } })
  })

  test('of 0.3 is streamed, and its cut stream goes on with the same task', async () => {
    const { client, methods } = await scriptedAgent(
      {
        card: origin => older(origin, { capabilities: { streaming: true } }),
        script: (method, task) =>
          method === 'message/stream'
            ? { events: [olderTask(task, 'working')], cut: true }
            : method === 'tasks/get'
              ? { error: { code: -32001, message: 'Task not found' } }
              : {
                  events: [
                    { kind: 'artifact-update', taskId: task, artifact: { artifactId: 'a', parts: [{ kind: 'text', text: '42' }] } },
                    { kind: 'status-update', taskId: task, status: { state: 'completed' }, final: true },
                  ],
                },
      },
      { streaming: true },
    )
    expect(answerIn(await client.call(question, { signal })).output).toBe('42')
    expect(methods()).toEqual(['message/stream', 'tasks/get', 'tasks/resubscribe'])
  })

  test.each([
    ['of both versions, as 1.0', (origin: string) => ({ ...older(origin), supportedInterfaces: [interfaceOf(origin)] }), 'SendMessage'],
    [
      'with gRPC first',
      (origin: string) =>
        older(origin, { preferredTransport: 'GRPC', additionalInterfaces: [{ url: `${origin}/rpc`, transport: 'JSONRPC' }] }),
      'message/send',
    ],
    [
      'with an interface of 0.3 in the list of 1.0',
      (origin: string) => ({ name: 'x', supportedInterfaces: [interfaceOf(origin, { protocolVersion: '0.3' })] }),
      'message/send',
    ],
    [
      'that names this machine otherwise',
      (origin: string) => ({ name: 'x', supportedInterfaces: [interfaceOf(origin.replace('127.0.0.1', 'localhost'))] }),
      'SendMessage',
    ],
  ])('%s leads to an interface that is spoken', async (_what, card, method) => {
    const { client, methods } = await scriptedAgent({
      card,
      script: () => ({ result: { kind: 'message', role: 'agent', parts: [{ text: '42' }] } }),
    })
    expect(answerIn(await client.call(question, { signal })).output).toBe('42')
    expect(methods()).toEqual([method])
  })

  test('is found from the agent’s bare address', async () => {
    const scripted = {
      script: () => ({ result: { message: { role: 'ROLE_AGENT', parts: [{ text: '42' }] } } }),
      cardPath: '/.well-known/agent.json',
    }
    const { origin } = await scriptedAgent(scripted)
    const { client } = await scriptedAgent(scripted, { baseUrl: origin })
    expect(answerIn(await client.call(question, { signal })).output).toBe('42')
  })
})
