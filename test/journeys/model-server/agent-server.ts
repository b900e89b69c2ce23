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
  /** HTTP status that it answers each look at its task with, in place of the task. */
  readonly failsLooks?: number
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
  message: z.object({ role: z.literal('ROLE_USER'), messageId: z.string().min(1), parts: z.array(z.object({ text: z.string() })) }),
})
const Rpc = z.object({ jsonrpc: z.literal('2.0'), id: z.string(), method: z.string(), params: z.unknown() })

interface Reply {
  readonly status: number
  readonly body: object
}

/** An agent of the agent-to-agent protocol 1.0 that says what it was told to, written from the protocol's own description. */
export async function startAgentServer({ binding, key, says, taskStates, failsLooks, card }: AgentServerOptions): Promise<AgentServer> {
  const operations: string[] = []
  const versions: unknown[] = []
  const tasks = new Map<string, { readonly asked: string; looks: number }>()

  const look = (id: string): object | null => {
    const task = tasks.get(id)
    if (!task || !taskStates) return null
    const state = taskStates[Math.min(task.looks++, taskStates.length - 1)] ?? ''
    const artifacts = state === 'TASK_STATE_COMPLETED' ? [{ artifactId: 'a', parts: [{ text: says(task.asked) }] }] : []
    return { id, contextId: 'context-1', status: { state, timestamp: '2026-11-21T00:00:00Z' }, artifacts }
  }
  /** Null: there is no such task. */
  const operate = (operation: string, params: unknown): object | null => {
    operations.push(operation)
    if (operation !== 'SendMessage') return look(z.object({ id: z.string() }).parse(params).id)
    const asked = Send.parse(params)
      .message.parts.map(({ text }) => text)
      .join('')
    if (!taskStates) return { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: says(asked) }] } }
    const id = `task-${tasks.size + 1}`
    tasks.set(id, { asked, looks: 0 })
    return { task: look(id) }
  }
  const byRpc = (text: string): Reply => {
    const { id, method, params } = Rpc.parse(JSON.parse(text))
    const result = operate(method, params)
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
      return { status: 200, body: card ?? own }
    }
    if (request.headers.authorization !== `Bearer ${key}`) return { status: 401, body: { error: { message: 'who are you' } } }
    const made = binding === 'JSONRPC' ? byRpc(text) : byHttp(request, text)
    return failsLooks !== undefined && operations.at(-1) === 'GetTask' ? { status: failsLooks, body: { error: { message: 'no' } } } : made
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
