import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultThrottlePatienceMs, type FailureCode } from '../../../contract/index.ts'
import type { CallOutcome, EarlierCall, Failure, ModelClient, ModelRequest, Reached } from '../model-client.ts'
import { createJsonTransport, type JsonReply, type JsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { bearer } from '../wire/wire-protocol.ts'
import { eventValues } from '../http/event-values.ts'
import { type AgentInterface, readAgentCard } from './agent-card.ts'
import { agentMessage } from './agent-messages.ts'
import { type AgentResult, type AgentTask, answerOfTask, readResult, readStream, reasonOfTask } from './agent-results.ts'
import { errorIn, operate, resultIn } from './operate.ts'
import { isThrottled } from '../is-throttled.ts'

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
const longestPauseMs = 30_000
/** Failures of a look at a task that say nothing of the task. */
const passing: ReadonlySet<FailureCode> = new Set(['unreachable', 'timeout', 'rate_limited', 'provider_failure', 'bad_response'])
/** The protocol's errors for what goes wrong inside of an agent. */
const internalErrors: readonly number[] = [-32603, -32006]
const versionNotSupported = -32009

/** Speaks the agent-to-agent protocol 1.0 or 0.3, by JSON-RPC or HTTP as the agent's card says. A call is one message to a fresh context. */
export function createAgentClient(settings: AgentSettings): ModelClient {
  const cardUrl = URL.parse(settings.baseUrl)
  const open = (version: Readonly<Record<string, string>>) =>
    createJsonTransport(
      { ...settings, model: 'agent', baseUrl: cardUrl?.origin ?? settings.baseUrl },
      'the agent-to-agent protocol',
      { ...bearer(settings.apiKey), ...version },
      // An error of JSON-RPC is an answer of the agent, to be read here.
      () => null,
    )
  const current = open({ 'a2a-version': '1.0' })
  /** Agents of 0.3 know no version, and some of both take 1.0 for granted where one is named. */
  let older: JsonTransport | null = null
  const speaking = ({ protocol }: AgentInterface) => (protocol === '1.0' ? current : (older ??= open({})))
  let known: AgentInterface | null = null
  const find = async (signal: AbortSignal): Promise<{ agent: AgentInterface; reply: Good | null } | Failure> => {
    if (known) return { agent: known, reply: null }
    const reply = await current.get(cardUrl ? `${cardUrl.pathname}${cardUrl.search}` : '/', signal)
    if (!reply.ok) return reply
    const reading = readAgentCard(reply.value, cardUrl ?? new URL(settings.baseUrl))
    if (!reading.ok) return current.badReply(reply, reading.problem)
    known = reading.agent
    return { agent: known, reply }
  }
  return {
    reach: async ({ signal }) => {
      const found = await find(signal)
      return 'ok' in found ? found : reach(speaking(found.agent), found.agent, signal)
    },
    call: async (request, { signal }) => {
      const found = await find(signal)
      return 'ok' in found ? found : converse(speaking(found.agent), found.agent, request, settings, signal)
    },
    probe: ({ signal }) => current.probe(cardUrl ? `${cardUrl.pathname}${cardUrl.search}` : '/', signal),
    close: async () => {
      await Promise.all([current.close(), older?.close()])
    },
  }
}

/** Requests a task that does not exist: a "not found" reply proves that the agent is up, speaks the protocol and accepts the credentials, without starting work. */
async function reach(transport: JsonTransport, agent: AgentInterface, signal: AbortSignal): Promise<Reached | Failure> {
  const reply = await operate(transport, agent, 'GetTask', { id: randomUUID() }, signal)
  const release = agent.protocol === '1.0' ? '' : ` of A2A ${agent.protocol}`
  const description = `${agent.name}${agent.version === '' ? '' : ` ${agent.version}`}, ${agent.binding}${release}`
  if (!reply.ok) {
    // By HTTP an unknown task is a 404.
    const isThere = agent.binding === 'HTTP+JSON' && reply.httpStatus === 404
    return isThere ? { ...reply, ok: true, description } : reply
  }
  const error = errorIn(reply.value)
  if (error?.code === versionNotSupported) return transport.badReply(reply, `refuses version ${agent.protocol} of the protocol`)
  if (agent.binding === 'JSONRPC' && error?.code !== taskNotFound)
    return transport.badReply(reply, error ? `is the error ${error.code}` : 'knows a task that was never made')
  return { ok: true, description, ...reply.wire, latencyMs: reply.latencyMs }
}

/**
 * Sends the message, then follows the task until it ends, the call times out or its signal aborts. A look that fails, or a stream that is
 * cut off, is followed by another look at the same task. A task that is no longer awaited is cancelled, because the agent would otherwise
 * keep working on it and bill for it.
 */
async function converse(
  transport: JsonTransport,
  agent: AgentInterface,
  request: ModelRequest,
  settings: AgentSettings,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const { message, notes } = agentMessage(request, randomUUID(), agent.protocol)
  const deadline = createDeadline(settings.attemptTimeoutMs)
  const until = AbortSignal.any([signal, deadline.signal])
  const earlier: EarlierCall[] = []
  const startedAt = performance.now()
  const streaming = settings.streaming === true
  const atOnce = agent.protocol === '1.0' ? { returnImmediately: true } : { blocking: false }
  const configuration = { acceptedOutputModes: ['text/plain'], ...(streaming ? {} : atOnce) }
  let taskId: string | null = null
  let pauseMs = settings.pollMs ?? 500
  const look = async (id: string, last: EarlierCall, waitMs: number): Promise<JsonReply> => {
    taskId = id
    earlier.push(last)
    await delay(waitMs, undefined, { signal: until }).catch(() => undefined)
    return operate(transport, agent, 'GetTask', { id }, until)
  }
  /** Cancels a task that is still open, so that the agent stops working on it. */
  const giveUp = async (): Promise<void> => {
    deadline.clear()
    if (taskId !== null) earlier.push(await cancel(transport, agent, taskId))
  }
  let reply = await operate(transport, agent, streaming ? 'SendStreamingMessage' : 'SendMessage', { message, configuration }, until)
  for (;;) {
    const more = () => ({ notes, earlier: [...earlier], latencyMs: performance.now() - startedAt })
    if (!reply.ok) {
      taskId = openTaskIn(agent, reply, taskId)
      if (taskId !== null && passing.has(reply.code) && !until.aborted) {
        const { request: sent, response, retryAfterMs } = reply
        pauseMs = Math.min(longestPauseMs, pauseMs * 2)
        const waitMs = Math.max(pauseMs, retryAfterMs ?? 0)
        // An agent that takes no looks at the moment works on: the time does not count against it.
        if (isThrottled(reply)) deadline.extend(waitMs)
        reply = await look(taskId, { request: sent, response }, waitMs)
        continue
      }
      await giveUp()
      return { ...timedOut(reply, signal, until), ...more() }
    }
    const good = reply
    const error = errorIn(good.value)
    if (error) {
      taskId = openTaskOf(resultOf(agent, good.value), taskId)
      await giveUp()
      const failure = transport.badReply(good, `is the error ${error.code}: ${transport.scrubber.text(error.message).slice(0, 200)}`)
      const isAgents = internalErrors.includes(error.code) || (error.code === taskNotFound && taskId !== null)
      return { ...failure, ...(isAgents ? { code: 'provider_failure' } : {}), ...more() }
    }
    const result = resultOf(agent, good.value)
    const answer = (output: string, finishReason: string, reasoning = ''): CallOutcome => {
      deadline.clear()
      return {
        ok: true,
        output: transport.scrubber.text(output),
        ...(reasoning !== '' && { reasoning: transport.scrubber.text(reasoning) }),
        finishReason,
        refused: finishReason === 'TASK_STATE_REJECTED',
        usage: null,
        ...good.wire,
        ...more(),
      }
    }
    if (result.kind === 'neither') {
      await giveUp()
      return { ...transport.badReply(good, 'holds neither a message nor a task'), ...more() }
    }
    if (result.kind === 'message') return answer(result.text, 'message')
    const { task } = result
    switch (task.status.state) {
      case 'TASK_STATE_COMPLETED':
      case 'TASK_STATE_REJECTED': {
        const { output, reasoning } = answerOfTask(task)
        return answer(output, task.status.state, reasoning)
      }
      case 'TASK_STATE_SUBMITTED':
      case 'TASK_STATE_WORKING':
        break
      default: {
        taskId = openTaskOf(result, taskId)
        await giveUp()
        return { ...transport.badReply(good, ''), ...stopOf(task, transport), ...more() }
      }
    }
    pauseMs = settings.pollMs ?? 500
    reply = await look(task.id, { request: good.wire.request, response: good.wire.response }, pauseMs)
  }
}

/** Why a task that stopped before its end has no answer, in the agent's own words where it gives some. */
function stopOf(task: AgentTask, { scrubber }: JsonTransport): Pick<Failure, 'code' | 'message'> {
  const words = scrubber.text(reasonOfTask(task)).slice(0, 300).trim()
  const said = words === '' ? '.' : `: “${words}”.`
  switch (task.status.state) {
    case 'TASK_STATE_AUTH_REQUIRED':
      return {
        code: 'credential_refused',
        message: `The agent wants somebody to sign in before it goes on${said} Sign in there, or give the connection a key that is enough.`,
      }
    case 'TASK_STATE_INPUT_REQUIRED':
      return {
        code: 'bad_request',
        message: `The agent wants to know more before it answers${said} It gets one message: say in the prompt what it needs.`,
      }
    default:
      return { code: 'provider_failure', message: `The agent’s task ended as ${task.status.state.slice(0, 60)}${said}` }
  }
}

interface Deadline {
  readonly signal: AbortSignal
  /** @param ms that do not count; in all at most the patience that a run has unless it says otherwise */
  extend(ms: number): void
  clear(): void
}

function createDeadline(afterMs: number): Deadline {
  const over = new AbortController()
  let at = performance.now() + afterMs
  let left = defaultThrottlePatienceMs
  const end = () => over.abort(new DOMException('The time of the call is over.', 'TimeoutError'))
  let timer = setTimeout(end, afterMs)
  return {
    signal: over.signal,
    extend: ms => {
      const more = Math.min(left, ms)
      left -= more
      at += more
      clearTimeout(timer)
      timer = setTimeout(end, Math.max(0, at - performance.now()))
    },
    clear: () => clearTimeout(timer),
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
