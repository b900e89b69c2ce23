import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { JsonReply, JsonTransport } from '../http/json-transport.ts'
import type { AgentInterface } from './agent-card.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

export type Operation = 'SendMessage' | 'SendStreamingMessage' | 'GetTask' | 'CancelTask'

const older: Readonly<Record<Operation, string>> = {
  SendMessage: 'message/send',
  SendStreamingMessage: 'message/stream',
  GetTask: 'tasks/get',
  CancelTask: 'tasks/cancel',
}
const paths: Readonly<Record<Exclude<Operation, 'GetTask'>, (id: string) => string>> = {
  SendMessage: () => '/message:send',
  SendStreamingMessage: () => '/message:stream',
  CancelTask: id => `/tasks/${id}:cancel`,
}

/** One operation of the protocol by the interface's binding. The reply's value is as it came: see `resultIn`. */
export function operate(
  transport: JsonTransport,
  { binding, url, tenant, protocol }: AgentInterface,
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<JsonReply> {
  const own = { ...(tenant === null ? {} : { tenant }), ...params }
  const send = operation === 'SendStreamingMessage' ? transport.events : transport.post
  const method = protocol === '1.0' ? operation : older[operation]
  if (binding === 'JSONRPC') return send(url.pathname, { jsonrpc: '2.0', id: randomUUID(), method, params: own }, signal)
  // The paths of 0.3 begin with a version.
  const base = `${trimEndOf(url.pathname, /\//)}${protocol === '1.0' ? '' : '/v1'}`
  const id = encodeURIComponent(String(params['id']))
  if (operation === 'GetTask') return transport.get(`${base}/tasks/${id}`, signal)
  return send(`${base}${paths[operation](id)}`, own, signal)
}

const RpcError = z.object({ error: z.object({ code: z.int(), message: z.string() }) })
const RpcResult = z.object({ result: z.unknown() })

export interface AgentError {
  readonly code: number
  readonly message: string
}

/** The error that the agent answers with by JSON-RPC; null where it is none. */
export function errorIn(value: unknown): AgentError | null {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map(each => RpcError.safeParse(each).data?.error ?? null).find(error => error !== null) ?? null
}

/** What the operation gave, without the envelope of JSON-RPC. */
export function resultIn({ binding }: AgentInterface, value: unknown): unknown {
  return binding === 'JSONRPC' ? RpcResult.safeParse(value).data?.result : value
}
