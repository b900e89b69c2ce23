import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { listen, type RunningServer } from './listen.ts'

export interface AgentServerOptions {
  readonly binding: 'JSONRPC' | 'HTTP+JSON'
  /** Whom it lets in. */
  readonly key: string
  readonly says: (text: string) => string
  /** States of its task, one for each time it is looked at, the last one for ever; it answers by a message where absent. */
  readonly taskStates?: readonly string[]
  /** HTTP statuses that it answers looks at its task with, in place of the task, one for each look; the last one for ever if `always`. */
  readonly failsLooks?: readonly number[]
  readonly alwaysFails?: boolean
  /** What its task holds when it is done, and what its status says; its text alone where absent. */
  readonly artifacts?: (text: string) => readonly object[]
  readonly statusText?: string
  readonly protocol?: '1.0' | '0.3'
  /** The card in place of its own. */
  readonly card?: object
}

export interface AgentServer extends RunningServer {
  readonly cardUrl: string
  operations(): readonly string[]
  /** What the `A2A-Version` header said, by request. */
  versions(): readonly unknown[]
}

const Send = z.object({
  message: z.object({ role: z.enum(['ROLE_USER', 'user']), messageId: z.string().min(1), parts: z.array(z.object({ text: z.string() })) }),
})
const Rpc = z.object({ jsonrpc: z.literal('2.0'), id: z.string(), method: z.string(), params: z.unknown() })

interface Reply {
  readonly status: number
  readonly body: object
}

const older: Readonly<Record<string, string>> = { 'message/send': 'SendMessage', 'tasks/get': 'GetTask', 'tasks/cancel': 'CancelTask' }

/** An agent of the agent-to-agent protocol that says what it was told to, written from the protocol's own description. */
export async function startAgentServer(options: AgentServerOptions): Promise<AgentServer> {
  const { binding, key, says, taskStates, card, protocol = '1.0', statusText } = options
  const failures = [...(options.failsLooks ?? [])]
  const artifactsOf = options.artifacts ?? ((text: string) => [{ artifactId: 'a', parts: [{ text }] }])
  const operations: string[] = []
  const versions: unknown[] = []
  const tasks = new Map<string, { readonly asked: string; looks: number }>()

  const look = (id: string): object | null => {
    const task = tasks.get(id)
    if (!task || !taskStates) return null
    const state = taskStates[Math.min(task.looks++, taskStates.length - 1)] ?? ''
    const artifacts = /completed/i.test(state) ? artifactsOf(says(task.asked)) : []
    const message = statusText === undefined ? {} : { message: { messageId: 's', role: 'ROLE_AGENT', parts: [{ text: statusText }] } }
    const kind = protocol === '0.3' ? { kind: 'task' } : {}
    return { ...kind, id, contextId: 'context-1', status: { state, timestamp: '2026-11-21T00:00:00Z', ...message }, artifacts }
  }
  /** Null: there is no such task. */
  const operate = (operation: string, params: unknown): object | null => {
    operations.push(operation)
    if (operation !== 'SendMessage') return look(z.object({ id: z.string() }).parse(params).id)
    const asked = Send.parse(params)
      .message.parts.map(({ text }) => text)
      .join('')
    const text = says(asked)
    if (!taskStates && protocol === '0.3') return { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text }] }
    if (!taskStates) return { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } }
    const id = `task-${tasks.size + 1}`
    tasks.set(id, { asked, looks: 0 })
    return protocol === '0.3' ? look(id) : { task: look(id) }
  }
  const byRpc = (text: string): Reply => {
    const { id, method, params } = Rpc.parse(JSON.parse(text))
    const result = operate(protocol === '0.3' ? (older[method] ?? method) : method, params)
    const error = { code: -32001, message: 'Task not found' }
    return { status: 200, body: { jsonrpc: '2.0', id, ...(result ? { result } : { error }) } }
  }
  const byHttp = ({ url = '' }: IncomingMessage, text: string): Reply => {
    const result = url.endsWith('/message:send')
      ? operate('SendMessage', JSON.parse(text))
      : operate(url.endsWith(':cancel') ? 'CancelTask' : 'GetTask', {
          id: url
            .split('/')
            .at(-1)
            ?.replace(/:cancel$/, ''),
        })
    return result ? { status: 200, body: result } : { status: 404, body: { error: { code: 404, message: 'Task not found' } } }
  }
  const reply = (request: IncomingMessage, text: string, origin: string): Reply => {
    versions.push(request.headers['a2a-version'])
    if (request.url === '/.well-known/agent-card.json') {
      const url = `${origin}/${binding === 'JSONRPC' ? 'rpc' : 'rest'}`
      const own = {
        name: 'Scripted agent',
        version: '1.2',
        supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: '1.0' }],
      }
      const ofOlder = { name: own.name, version: own.version, url, preferredTransport: binding, protocolVersion: '0.3.0' }
      return { status: 200, body: card ?? (protocol === '0.3' ? ofOlder : own) }
    }
    if (request.headers.authorization !== `Bearer ${key}`) return { status: 401, body: { error: { message: 'who are you' } } }
    const made = binding === 'JSONRPC' ? byRpc(text) : byHttp(request, text)
    const status = operations.at(-1) === 'GetTask' ? failures[0] : undefined
    if (status !== undefined && !options.alwaysFails) failures.shift()
    return status === undefined ? made : { status, body: { error: { message: 'no' } } }
  }
  const server = createServer((request, response) => {
    void bodyOf(request).then(text => {
      const { status, body } = reply(request, text, running.baseUrl)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  })
  const running = await listen(server, 0)
  return {
    ...running,
    cardUrl: `${running.baseUrl}/.well-known/agent-card.json`,
    operations: () => operations,
    versions: () => versions,
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
