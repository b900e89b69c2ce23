import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { createAddressPolicy } from '../../../src/engine/clients/address-policy.ts'
import { type AgentSettings, createAgentClient } from '../../../src/engine/clients/agents/agent-client.ts'
import { listen } from '../../journeys/model-server/listen.ts'

/** What the agent does with one request. `cut`: the connection breaks after what was said. */
export type AgentReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly events: readonly unknown[]; readonly cut?: true }
  | 'reset'

export interface ScriptedAgentOptions {
  /** @param nth number of this method for this task, from 1 */
  readonly script: (method: string, task: string, nth: number) => AgentReply
  readonly card?: (origin: string) => object
  readonly cardPath?: string
}

const Rpc = z.object({ id: z.string(), method: z.string(), params: z.looseObject({ id: z.string().optional() }) })

export const interfaceOf = (origin: string, more: object = {}) => ({
  url: `${origin}/rpc`,
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  ...more,
})

/** An agent that speaks JSON-RPC as a script says, its client, and the requests that it got. */
export async function scriptedAgent(
  { script, card, cardPath = '/.well-known/agent-card.json' }: ScriptedAgentOptions,
  settings: Partial<AgentSettings> = {},
) {
  const requests: { readonly method: string; readonly version: unknown; readonly params: Readonly<Record<string, unknown>> }[] = []
  const seen = new Map<string, number>()
  let sends = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(body))
      }
      if (request.method === 'GET') {
        const own = { name: 'Agent', capabilities: { streaming: true }, supportedInterfaces: [interfaceOf(running.baseUrl)] }
        return request.url === cardPath ? json(200, card?.(running.baseUrl) ?? own) : json(404, { error: 'no such page' })
      }
      const { id, method, params } = Rpc.parse(JSON.parse(Buffer.concat(chunks).toString()))
      requests.push({ method, version: request.headers['a2a-version'], params })
      const task = params.id ?? `t${++sends}`
      const nth = (seen.get(`${method} ${task}`) ?? 0) + 1
      seen.set(`${method} ${task}`, nth)
      const reply = script(method, task, nth)
      if (reply === 'reset') return response.destroy()
      if ('status' in reply) return json(reply.status, { error: { message: 'not now' } }, reply.headers)
      if (!('events' in reply)) return json(200, { jsonrpc: '2.0', id, ...reply })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const text = reply.events.map(result => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`).join('')
      if (reply.cut) response.write(text, () => setImmediate(() => response.destroy()))
      else response.end(text)
    })
  })
  const running = await listen(server, 0)
  const client = createAgentClient({
    baseUrl: `${running.baseUrl}/.well-known/agent-card.json`,
    apiKey: null,
    headers: {},
    attemptTimeoutMs: 60_000,
    connections: 4,
    addressPolicy: createAddressPolicy({ ownOrigin: null }),
    pollMs: 1,
    ...settings,
  })
  onTestFinished(async () => {
    await client.close()
    await running.close()
  })
  return { client, origin: running.baseUrl, requests, methods: () => requests.map(({ method }) => method) }
}

export const taskIn = (id: string, state: string, more: object = {}) => ({
  id,
  contextId: 'c',
  status: { state: `TASK_STATE_${state}` },
  ...more,
})
export const answering = (text: string) => ({ artifacts: [{ artifactId: 'a', parts: [{ text }] }] })
