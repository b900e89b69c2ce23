import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallOutcome, EarlierCall, Failure, ModelClient, ModelRequest, Reached } from '../model-client.ts'
import { createJsonTransport, type JsonReply, type JsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { bearer } from '../wire/wire-protocol.ts'
import { eventValues } from '../http/event-values.ts'
import { type AgentInterface, readAgentCard } from './agent-card.ts'
import { agentMessage, type AgentResult, answerOfTask, readResult, readStream } from './agent-messages.ts'
import { errorIn, operate, resultIn } from './operate.ts'

/** `baseUrl` is the address of the agent card. */
export type AgentSettings = Omit<TransportSettings, 'model'> & {
  /** Milliseconds between two looks at a task that is still being worked on. */
  readonly pollMs?: number
  /** Stream the agent's progress instead of polling for it. */
  readonly streaming?: boolean
}

type Good = Extract<JsonReply, { ok: true }>

const taskNotFound = -32001
const finalStates: ReadonlySet<string> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
])
const cancelPatienceMs = 2_000
/** The protocol's errors for what goes wrong inside of an agent. */
const internalErrors: readonly number[] = [-32603, -32006]
const versionNotSupported = -32009

/** Speaks the agent-to-agent protocol 1.0, by JSON-RPC or HTTP as the agent's card says. A call is one message to a fresh context. */
export function createAgentClient(settings: AgentSettings): ModelClient {
  const cardUrl = URL.parse(settings.baseUrl)
  const transport = createJsonTransport(
    { ...settings, model: 'agent', baseUrl: cardUrl?.origin ?? settings.baseUrl },
    'the agent-to-agent protocol',
    { ...bearer(settings.apiKey), 'a2a-version': '1.0' },
    // An error of JSON-RPC is an answer of the agent, to be read here.
    () => null,
  )
  let known: AgentInterface | null = null
  const find = async (signal: AbortSignal): Promise<{ agent: AgentInterface; reply: Good | null } | Failure> => {
    if (known) return { agent: known, reply: null }
    const reply = await transport.get(cardUrl ? `${cardUrl.pathname}${cardUrl.search}` : '/', signal)
    if (!reply.ok) return reply
    const reading = readAgentCard(reply.value, cardUrl ?? new URL(settings.baseUrl))
    if (!reading.ok) return transport.badReply(reply, reading.problem)
    known = reading.agent
    return { agent: known, reply }
  }
  return {
    reach: async ({ signal }) => {
      const found = await find(signal)
      return 'ok' in found ? found : reach(transport, found.agent, signal)
    },
    call: async (request, { signal }) => {
      const found = await find(signal)
      return 'ok' in found ? found : converse(transport, found.agent, request, settings, signal)
    },
    probe: ({ signal }) => transport.probe(cardUrl ? `${cardUrl.pathname}${cardUrl.search}` : '/', signal),
    close: () => transport.close(),
  }
}

/** Requests a task that does not exist: a "not found" reply proves that the agent is up, speaks the protocol and accepts the credentials, without starting work. */
async function reach(transport: JsonTransport, agent: AgentInterface, signal: AbortSignal): Promise<Reached | Failure> {
  const reply = await operate(transport, agent, 'GetTask', { id: randomUUID() }, signal)
  const description = `${agent.name}${agent.version === '' ? '' : ` ${agent.version}`}, ${agent.binding}`
  if (!reply.ok) {
    // By HTTP an unknown task is a 404.
    const isThere = agent.binding === 'HTTP+JSON' && reply.httpStatus === 404
    return isThere ? { ...reply, ok: true, description } : reply
  }
  const error = errorIn(reply.value)
  if (error?.code === versionNotSupported) return transport.badReply(reply, 'refuses version 1.0 of the protocol')
  if (agent.binding === 'JSONRPC' && error?.code !== taskNotFound)
    return transport.badReply(reply, error ? `is the error ${error.code}` : 'knows a task that was never made')
  return { ok: true, description, ...reply.wire, latencyMs: reply.latencyMs }
}

/**
 * Sends the message, then follows the task until it ends, the call times out or its signal aborts. A task that is no longer awaited
 * is cancelled, because the agent would otherwise keep working on it and bill for it.
 */
async function converse(
  transport: JsonTransport,
  agent: AgentInterface,
  request: ModelRequest,
  settings: AgentSettings,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const { message, notes } = agentMessage(request, randomUUID())
  const until = AbortSignal.any([signal, AbortSignal.timeout(settings.attemptTimeoutMs)])
  const earlier: EarlierCall[] = []
  const startedAt = performance.now()
  const streaming = settings.streaming === true
  const configuration = { acceptedOutputModes: ['text/plain'], ...(streaming ? {} : { returnImmediately: true }) }
  let taskId: string | null = null
  let reply = await operate(transport, agent, streaming ? 'SendStreamingMessage' : 'SendMessage', { message, configuration }, until)
  /** Cancels a task that is still open, so that the agent stops working on it. */
  const giveUp = async (): Promise<void> => {
    if (taskId !== null) earlier.push(await cancel(transport, agent, taskId))
  }
  for (;;) {
    const more = () => ({ notes, earlier: [...earlier], latencyMs: performance.now() - startedAt })
    if (!reply.ok) {
      taskId = openTaskIn(agent, reply, taskId)
      await giveUp()
      return { ...timedOut(reply, signal, until), ...more() }
    }
    const good = reply
    const error = errorIn(good.value)
    if (error) {
      taskId = openTaskOf(resultOf(agent, good.value), taskId)
      await giveUp()
      const failure = transport.badReply(good, `is the error ${error.code}: ${transport.scrubber.text(error.message).slice(0, 200)}`)
      return { ...failure, ...(internalErrors.includes(error.code) ? { code: 'provider_failure' } : {}), ...more() }
    }
    const result = resultOf(agent, good.value)
    const answer = (output: string, finishReason: string): CallOutcome => ({
      ok: true,
      output: transport.scrubber.text(output),
      finishReason,
      refused: finishReason === 'TASK_STATE_REJECTED',
      usage: null,
      ...good.wire,
      ...more(),
    })
    if (result.kind === 'neither') {
      await giveUp()
      return { ...transport.badReply(good, 'holds neither a message nor a task'), ...more() }
    }
    if (result.kind === 'message') return answer(result.text, 'message')
    const { task } = result
    switch (task.status.state) {
      case 'TASK_STATE_COMPLETED':
      case 'TASK_STATE_REJECTED':
      case 'TASK_STATE_INPUT_REQUIRED':
        return answer(answerOfTask(task), task.status.state)
      case 'TASK_STATE_SUBMITTED':
      case 'TASK_STATE_WORKING':
        break
      default: {
        taskId = openTaskOf(result, taskId)
        await giveUp()
        const failure = transport.badReply(good, `is a task that ended as ${task.status.state.slice(0, 60)}`)
        return { ...failure, code: 'provider_failure', ...more() }
      }
    }
    taskId = task.id
    earlier.push({ request: good.wire.request, response: good.wire.response })
    await delay(settings.pollMs ?? 500, undefined, { signal: until }).catch(() => undefined)
    reply = await operate(transport, agent, 'GetTask', { id: task.id }, until)
  }
}

function resultOf(agent: AgentInterface, value: unknown): AgentResult {
  if (!Array.isArray(value)) return readResult(resultIn(agent, value))
  return readStream(value.map(each => resultIn(agent, each)))
}

/** Of a stream that was cut off: the task that it had told of until then. */
function openTaskIn(agent: AgentInterface, { response }: Failure, known: string | null): string | null {
  return response === null ? known : openTaskOf(resultOf(agent, eventValues(Buffer.from(response).toString())), known)
}

/** The task that may still be worked on, by the last that was heard of it. */
function openTaskOf(result: AgentResult, known: string | null): string | null {
  if (result.kind !== 'task') return known
  return finalStates.has(result.task.status.state) ? null : result.task.id
}

/** Best effort: the outcome is ignored and the wait is short. */
async function cancel(transport: JsonTransport, agent: AgentInterface, id: string): Promise<EarlierCall> {
  const reply = await operate(transport, agent, 'CancelTask', { id }, AbortSignal.timeout(cancelPatienceMs))
  const { request, response } = reply.ok ? reply.wire : reply
  return { request, response }
}

/** What was cut off by the call's own time limit was not cancelled by anybody. */
function timedOut(failure: Failure, signal: AbortSignal, until: AbortSignal): Failure {
  if (failure.code !== 'cancelled' || signal.aborted || !until.aborted) return failure
  return { ...failure, code: 'timeout', message: 'The agent did not end the task in time. Raise the connection’s request timeout.' }
}
