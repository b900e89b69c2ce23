import { randomUUID } from 'node:crypto'
import type { Failure, ModelClient, Reached } from '../model-client.ts'
import { createJsonTransport, type JsonReply, type JsonTransport, type TransportSettings } from '../http/json-transport.ts'
import { bearer } from '../wire/wire-protocol.ts'
import { type AgentInterface, cardPaths, readAgentCard } from './agent-card.ts'
import { converse, type FollowSettings } from './follow-task.ts'
import { errorIn, operate, taskNotFound, versionHeader, versionNotSupported } from './operate.ts'

/** `baseUrl` is the address of the agent card. */
export type AgentSettings = Omit<TransportSettings, 'model'> & Partial<Omit<FollowSettings, 'attemptTimeoutMs'>>

type Good = Extract<JsonReply, { ok: true }>

/** Speaks the agent-to-agent protocol, 1.0 or 0.3, by JSON-RPC or HTTP as the agent's card says. A call is one message to a fresh context. */
export function createAgentClient(settings: AgentSettings): ModelClient {
  const cardUrl = URL.parse(settings.baseUrl)
  const transport = createJsonTransport(
    { ...settings, model: 'agent', baseUrl: cardUrl?.origin ?? settings.baseUrl },
    'the agent-to-agent protocol',
    bearer(settings.apiKey),
    // An error of JSON-RPC is an answer of the agent, to be read here.
    () => null,
  )
  const following = { pollMs: 500, streaming: false, ...settings }
  let known: AgentInterface | null = null
  const find = async (signal: AbortSignal): Promise<{ agent: AgentInterface; reply: Good | null } | Failure> => {
    if (known) return { agent: known, reply: null }
    let failure: Failure | null = null
    for (const path of cardUrl ? cardPaths(cardUrl) : ['/']) {
      // Without a version, agents of both show the older card.
      const reply = await transport.get(path, signal, versionHeader)
      const reading = reply.ok ? readAgentCard(reply.value, cardUrl ?? new URL(settings.baseUrl)) : null
      if (reply.ok && reading?.ok) {
        known = reading.agent
        return { agent: known, reply }
      }
      const problem = reply.ok ? transport.badReply(reply, reading?.ok === false ? reading.problem : '') : reply
      failure ??= problem
      if (!isElsewhere(path, problem)) return failure
    }
    return failure ?? transport.badReply({ wire: nothingSent, latencyMs: 0 }, 'is no agent card')
  }
  return {
    reach: async ({ signal }) => {
      const found = await find(signal)
      return 'ok' in found ? found : reach(transport, found.agent, signal)
    },
    call: async (request, options) => {
      const { work } = options
      const task = work?.task
      if (work && task) {
        work.task = null
        return task.resume(options)
      }
      const found = await find(options.signal)
      return 'ok' in found ? found : converse(transport, found.agent, request, following, options)
    },
    probe: ({ signal }) => transport.probe(cardUrl ? `${cardUrl.pathname}${cardUrl.search}` : '/', signal),
    close: () => transport.close(),
  }
}

const nothingSent = { request: null, response: null, httpStatus: null } as const

/** A card may be elsewhere where there is no page, or another than a file of JSON. */
const isElsewhere = (path: string, { httpStatus }: Failure): boolean =>
  httpStatus === 404 || httpStatus === 405 || httpStatus === 410 || (httpStatus !== null && !/\.json(?:\?|$)/.test(path))

/** Requests a task that does not exist: a "not found" reply proves that the agent is up, speaks the protocol and accepts the credentials, without starting work. */
async function reach(transport: JsonTransport, agent: AgentInterface, signal: AbortSignal): Promise<Reached | Failure> {
  const reply = await operate(transport, agent, 'get', { id: randomUUID() }, signal)
  const older = agent.protocol === '1.0' ? '' : ` of A2A ${agent.protocol}`
  const description = `${agent.name}${agent.version === '' ? '' : ` ${agent.version}`}, ${agent.binding}${older}`
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
