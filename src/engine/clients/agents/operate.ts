import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { limitWords } from '../http/limit-words.ts'
import { waitHint } from '../http/throttle-hints.ts'
import type { JsonReply, JsonTransport } from '../http/json-transport.ts'
import type { Failure } from '../model-client.ts'
import type { AgentInterface, AgentProtocol } from './agent-card.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

export type Operation = 'send' | 'stream' | 'get' | 'subscribe' | 'cancel'
type Good = Extract<JsonReply, { ok: true }>

const methods: Readonly<Record<AgentProtocol, Readonly<Record<Operation, string>>>> = {
  '1.0': { send: 'SendMessage', stream: 'SendStreamingMessage', get: 'GetTask', subscribe: 'SubscribeToTask', cancel: 'CancelTask' },
  '0.3': { send: 'message/send', stream: 'message/stream', get: 'tasks/get', subscribe: 'tasks/resubscribe', cancel: 'tasks/cancel' },
}

const paths: Readonly<Record<Operation, (id: string) => string>> = {
  send: () => '/message:send',
  stream: () => '/message:stream',
  get: id => `/tasks/${id}`,
  subscribe: id => `/tasks/${id}:subscribe`,
  cancel: id => `/tasks/${id}:cancel`,
}

export const versionHeader = { 'a2a-version': '1.0' }

/** One operation of the protocol by the interface's binding. The reply's value is as it came: see `resultsIn`. */
export function operate(
  transport: JsonTransport,
  { binding, protocol, url, tenant }: AgentInterface,
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<JsonReply> {
  const own = { ...(tenant === null ? {} : { tenant }), ...params }
  // Agents of 0.3 know no version, and some of both take 1.0 for granted where one is named.
  const headers: Readonly<Record<string, string>> = protocol === '1.0' ? versionHeader : {}
  const send = operation === 'stream' || operation === 'subscribe' ? transport.events : transport.post
  if (binding === 'JSONRPC') {
    const call = { jsonrpc: '2.0', id: randomUUID(), method: methods[protocol][operation], params: own }
    return send(`${url.pathname}${url.search}`, call, signal, headers)
  }
  const base = `${trimEndOf(url.pathname, /\//)}${protocol === '0.3' ? '/v1' : ''}`
  const path = `${base}${paths[operation](encodeURIComponent(String(params['id'])))}`
  if (operation === 'get') return transport.get(path, signal, headers)
  if (operation === 'subscribe') return transport.get(path, signal, { ...headers, accept: 'text/event-stream' })
  return send(path, own, signal, headers)
}

const ErrorReply = z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) })
const RpcResult = z.object({ result: z.unknown() })

export type AgentError = z.infer<typeof ErrorReply>['error']

/** The error that the agent answers with, in place of a result or within its stream; null where it does not answer with one. */
export function errorIn(value: unknown): AgentError | null {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map(each => ErrorReply.safeParse(each).data?.error ?? null).find(error => error !== null) ?? null
}

/** What the operation gave, without the envelope of JSON-RPC; several of a stream. */
export function resultsIn({ binding }: AgentInterface, value: unknown): unknown[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map(each => (binding === 'JSONRPC' ? RpcResult.safeParse(each).data?.result : each))
}

export const taskNotFound = -32001
export const versionNotSupported = -32009
/** The agent failed inside, or answered what it must not. */
const internalErrors: readonly number[] = [-32603, -32006]
/** The message itself cannot be taken: not JSON-RPC, unknown method, invalid parameters; unsupported operation, media type, version. */
const refusals: readonly number[] = [-32700, -32600, -32601, -32602, -32004, -32005, -32008, versionNotSupported]

/** What an error of the agent amounts to. */
export function agentFault(transport: JsonTransport, reply: Good, error: AgentError): Failure {
  const said = transport.scrubber.text(error.message).slice(0, 200)
  const reason = `error ${error.code}: “${said}”`
  const failed = (code: Failure['code'], message: string): Failure => ({
    ok: false,
    code,
    message,
    ...reply.wire,
    retryAfterMs: waitHint({}, error, Date.now()),
    latencyMs: reply.latencyMs,
  })
  // What else an agent says may speak of days and limits, so its words count as those of a limit where they complain of one.
  const isLimit = error.code === 429 || /\b(?:exceeded|reached|used up|over)\b[^.]{0,40}\b(?:quota|limits?)\b/i.test(error.message)
  const found = limitWords({ status: isLimit ? 429 : 503, word: '', text: error.message })
  const words = found ?? (error.code === 429 ? 'throttled' : limitWords({ status: 503, word: '', text: error.message }))
  if (words === 'exhausted')
    return failed('quota_exhausted', `The agent’s account has no quota left (${reason}). Top it up, or wait until its limit resets.`)
  if (words === 'throttled')
    return failed('rate_limited', `The agent takes no calls now (${reason}). If it happens often, lower the connection’s limits.`)
  if (error.code === 401 || error.code === 403)
    return failed('credential_refused', `The agent refused the call (${reason}). Check the key of this connection.`)
  if (isPassingError(error))
    return failed('provider_failure', `The agent failed (${reason}). The request was valid; if this continues, read the agent’s log.`)
  if (refusals.includes(error.code) || (error.code >= 400 && error.code < 500))
    return failed('bad_request', `The agent refused the message (${reason}). Check which input the agent takes.`)
  if (error.code === taskNotFound)
    return failed('provider_failure', `The agent no longer knows the task (${reason}). If this continues, read the agent’s log.`)
  return transport.badReply(reply, `is the ${reason}`)
}

/** Whether another look at the task may succeed, where an error of the agent failed it. */
export function isPassingError({ code }: AgentError): boolean {
  return internalErrors.includes(code) || (code >= 500 && code < 600)
}

/** Whether the agent has no such operation, or does not know the task by it. */
export function isUnsupported(failure: Failure, error: AgentError | null): boolean {
  if (error) return [taskNotFound, -32601, -32004].includes(error.code)
  return failure.httpStatus === 404 || failure.httpStatus === 405 || failure.httpStatus === 501
}
