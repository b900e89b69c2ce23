import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eventValues } from '../http/event-values.ts'
import type { JsonReply, JsonTransport } from '../http/json-transport.ts'
import { isThrottled } from '../is-throttled.ts'
import type { CallNote, CallOptions, CallOutcome, EarlierCall, Failure, ModelRequest, Wire } from '../model-client.ts'
import type { AgentInterface } from './agent-card.ts'
import { agentMessage } from './agent-messages.ts'
import { type AgentTask, answerOfTask, readResult, readStream, reasonOfTask, type Said } from './agent-results.ts'
import { type AgentError, agentFault, errorIn, isPassingError, isUnsupported, operate, type Operation, resultsIn } from './operate.ts'

export interface FollowSettings {
  readonly attemptTimeoutMs: number
  /** Milliseconds between two looks at a task that is still being worked on. */
  readonly pollMs: number
  /** Stream the agent's progress instead of polling for it. */
  readonly streaming: boolean
}

interface Opening {
  /** Of the operations that send a message. */
  readonly params: Readonly<Record<string, unknown>>
  readonly notes: readonly CallNote[]
}

/** One message to an agent, with its task and calls so far. */
interface Conversation {
  readonly transport: JsonTransport
  readonly agent: AgentInterface
  readonly settings: FollowSettings
  readonly opening: Opening
  /** What it was told by streams that were cut, and by the last look. */
  said: readonly unknown[]
  /** As far as it is known by that; null until the agent has named it. */
  task: AgentTask | null
}

const finalStates: ReadonlySet<string> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
])
const workingStates: ReadonlySet<string> = new Set(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'])
const cancelPatienceMs = 2_000
const longestPauseMs = 30_000

/**
 * Sends the message, then follows the task until it ends, the call times out or its signal aborts. A look that fails, or a stream that is
 * cut, is followed by another look at the same task: the agent is told nothing twice. A task that is no longer awaited is cancelled,
 * because the agent would otherwise keep working on it and bill for it.
 */
export function converse(
  transport: JsonTransport,
  agent: AgentInterface,
  request: ModelRequest,
  settings: FollowSettings,
  options: CallOptions,
): Promise<CallOutcome> {
  // An agent that does not stream is looked at, whatever the connection says.
  const streaming = settings.streaming && agent.streams
  const { message, notes } = agentMessage(request, randomUUID(), agent)
  const atOnce = agent.protocol === '1.0' ? { returnImmediately: true } : { blocking: false }
  const acceptedOutputModes = [...new Set(['text/plain', 'application/json', ...agent.outputModes])]
  const opening = { params: { message, configuration: { acceptedOutputModes, ...(streaming ? {} : atOnce) } }, notes }
  return follow({ transport, agent, settings, opening, said: [], task: null }, streaming ? 'stream' : 'send', options)
}

async function follow(conversation: Conversation, first: Operation, { signal, work }: CallOptions): Promise<CallOutcome> {
  const { transport, agent, settings, opening } = conversation
  const until = AbortSignal.any([signal, AbortSignal.timeout(settings.attemptTimeoutMs)])
  const earlier: EarlierCall[] = []
  const startedAt = performance.now()
  const more = () => ({ notes: opening.notes, earlier: [...earlier], latencyMs: performance.now() - startedAt })
  /** The task is not awaited any longer. */
  const end = async (failure: Failure): Promise<Failure> => {
    if (isOpen(conversation)) earlier.push(await cancel(conversation))
    return { ...timedOut(failure, signal, until), ...more() }
  }
  let failedLooks = 0
  for (let operation = first; ; ) {
    const params = conversation.task && operation !== 'send' && operation !== 'stream' ? { id: conversation.task.id } : opening.params
    const reply = await operate(transport, agent, operation, params, until)
    const result = take(conversation, resultsIn(agent, valueOf(reply)))
    if (result.kind === 'message') return answered(conversation, { output: result.text, reasoning: '' }, 'message', wireOf(reply), more())
    if (result.kind === 'task') conversation.task = result.task
    const { task } = conversation
    const { failure, error } = failureOf(transport, reply)
    if (!task) return end(failure ?? transport.badReply(goodOf(reply), 'holds neither a message nor a task'))
    // What the task had come to counts, however the reply ended.
    if (task.status.state === 'TASK_STATE_COMPLETED')
      return answered(conversation, answerOfTask(task), task.status.state, wireOf(reply), more())
    if (!workingStates.has(task.status.state)) return end(endedFailure(conversation, task, wireOf(reply)))
    if (failure) {
      if (until.aborted) return end(failure)
      if (operation === 'get' && agent.streams && isUnsupported(failure, error)) {
        earlier.push(exchangeOf(reply))
        operation = 'subscribe'
        continue
      }
      if (!isPassing(failure, error)) return end(lostTask(failure))
      if (work && isThrottled(failure)) {
        work.task = {
          resume: options => follow(conversation, 'get', options),
          abandon: async () => void (await cancel(conversation)),
        }
        return { ...failure, ...more() }
      }
      failedLooks++
    } else failedLooks = 0
    earlier.push(exchangeOf(reply))
    const grownMs = Math.min(longestPauseMs, settings.pollMs * 2 ** failedLooks)
    await delay(Math.max(grownMs, failure?.retryAfterMs ?? 0), undefined, { signal: until }).catch(() => undefined)
    operation = 'get'
  }
}

/** Of a stream that was cut off: what it had reported until then. */
function valueOf(reply: JsonReply): unknown {
  if (reply.ok) return reply.value
  return reply.response === null || (reply.httpStatus ?? 0) >= 300 ? [] : eventValues(Buffer.from(reply.response).toString())
}

function wireOf(reply: JsonReply): Wire {
  if (reply.ok) return reply.wire
  const { request, response, httpStatus } = reply
  return { request, response, httpStatus }
}

const exchangeOf = (reply: JsonReply): EarlierCall => {
  const { request, response } = wireOf(reply)
  return { request, response }
}

type Good = Extract<JsonReply, { ok: true }>
const goodOf = (reply: JsonReply): Good => (reply.ok ? reply : { ok: true, value: null, wire: wireOf(reply), latencyMs: reply.latencyMs })

function failureOf(transport: JsonTransport, reply: JsonReply): { readonly failure: Failure | null; readonly error: AgentError | null } {
  if (!reply.ok) return { failure: reply, error: null }
  const error = errorIn(reply.value)
  return { failure: error && agentFault(transport, reply, error), error }
}

const passing: ReadonlySet<Failure['code']> = new Set(['unreachable', 'timeout', 'bad_response', 'provider_failure'])

/** Whether another look may succeed. */
function isPassing(failure: Failure, error: AgentError | null): boolean {
  return isThrottled(failure) || (error ? isPassingError(error) : passing.has(failure.code))
}

/** By HTTP, a task that the agent no longer knows looks like a wrong address. */
function lostTask(failure: Failure): Failure {
  return failure.code === 'model_not_found'
    ? {
        ...failure,
        code: 'provider_failure',
        message: 'The agent no longer knows the task (HTTP 404). If this continues, read the agent’s log.',
      }
    : failure
}

/** A look tells all; what a stream tells is added to what was told before. */
function take(conversation: Conversation, values: readonly unknown[]): ReturnType<typeof readResult> {
  const [only] = values
  const isWhole = values.length === 1 && readResult(only).kind !== 'neither'
  conversation.said = isWhole ? values : [...conversation.said, ...values]
  return readStream(conversation.said)
}

function isOpen({ task }: Conversation): boolean {
  return task !== null && !finalStates.has(task.status.state)
}

function answered(
  { transport: { scrubber } }: Conversation,
  { output, reasoning }: Said,
  finishReason: string,
  wire: Wire,
  more: { readonly notes: Opening['notes']; readonly earlier: readonly EarlierCall[]; readonly latencyMs: number },
): CallOutcome {
  return {
    ok: true,
    output: scrubber.text(output),
    ...(reasoning === '' ? {} : { reasoning: scrubber.text(reasoning) }),
    finishReason,
    refused: false,
    usage: null,
    ...wire,
    ...more,
  }
}

/** States that a task ends or waits in without an answer, with what a person can do. `code` says whether another attempt is worth it. */
const endings: Readonly<Record<string, { readonly code: Failure['code']; readonly what: string; readonly advice: string }>> = {
  TASK_STATE_AUTH_REQUIRED: {
    code: 'credential_refused',
    what: 'The agent requires authorization before it continues',
    advice: 'Add the key or header that it expects to this connection, or authorize it at the agent.',
  },
  TASK_STATE_INPUT_REQUIRED: {
    code: 'bad_request',
    what: 'The agent asks for more input instead of answering',
    advice: 'A task is one message: state what it asks for in the prompt, or configure the agent to answer without asking.',
  },
  TASK_STATE_REJECTED: {
    code: 'bad_request',
    what: 'The agent rejected the task',
    advice: 'Check which tasks and input the agent’s card names.',
  },
  TASK_STATE_CANCELED: {
    code: 'bad_request',
    what: 'The task was canceled at the agent',
    advice: 'Find out at the agent who canceled it, then retry the sample.',
  },
  TASK_STATE_FAILED: { code: 'provider_failure', what: 'The agent failed the task', advice: 'If this continues, read the agent’s log.' },
}

function endedFailure({ transport, agent }: Conversation, task: AgentTask, wire: Wire): Failure {
  const { state } = task.status
  const known = endings[state] ?? {
    code: 'bad_request' as const,
    what: 'The task is in a state that Assay does not know',
    advice: 'Read the agent’s documentation.',
  }
  const words = transport.scrubber.text(reasonOfTask(task)).trim().slice(0, 300)
  const said = words === '' ? '' : `: “${words}”`
  return {
    ok: false,
    code: known.code,
    message: `${known.what} (${agent.url.origin}, ${state})${said}. ${known.advice}`,
    ...wire,
    retryAfterMs: null,
    latencyMs: 0,
  }
}

/** Best effort: the outcome is ignored and the wait is short. */
async function cancel({ transport, agent, task }: Conversation): Promise<EarlierCall> {
  const reply = await operate(transport, agent, 'cancel', { id: task?.id }, AbortSignal.timeout(cancelPatienceMs))
  return exchangeOf(reply)
}

/** What was cut off by the call's own time limit was not cancelled by anybody. */
function timedOut(failure: Failure, signal: AbortSignal, until: AbortSignal): Failure {
  if (failure.code !== 'cancelled' || signal.aborted || !until.aborted) return failure
  return { ...failure, code: 'timeout', message: 'The agent did not end the task in time. Raise the connection’s request timeout.' }
}
