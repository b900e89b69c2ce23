import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/index.ts'
import { authenticate } from '../auth/index.ts'
import type { Kernel } from '../kernel.ts'
import { callInProcess } from './in-process.ts'
import { createMcpServer } from './mcp-server.ts'

/** Headers of a client's request that its tool calls repeat. */
const repeated = ['authorization', 'x-workspace-id', 'host', 'user-agent'] as const

/**
 * The Model Context Protocol at `/mcp`: the 2026-07-28 protocol and, without sessions, the one before it. Behind the guard of every request;
 * a key is shown with every request, and each tool call is a request of the ordinary interface with that key. Cookies do not count.
 */
export function serveMcp(http: FastifyInstance, kernel: Kernel): () => Promise<void> {
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const headers = Object.fromEntries(
        repeated.flatMap(name => [[name, requestInfo?.headers.get(name) ?? '']]).filter(([, value]) => value),
      )
      return createMcpServer(callInProcess(http, headers, path => kernel.accessPolicy().publicUrl + path))
    },
    { onerror: error => kernel.log.debug({ err: error }, 'MCP request refused') },
  )
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const principal = authenticate(kernel, { authorization: request.raw.headersDistinct['authorization'] ?? [], cookie: undefined })
    kernel.connections.admit(request.raw.socket, principal.id)
    kernel.throttle.admit(principal)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
    const [only] = principal.workspaces
    if (!headers.has('x-workspace-id') && only && principal.workspaces.length === 1) headers.set('x-workspace-id', only.id)
    if (!headers.has('x-workspace-id'))
      throw new ApiError('unauthenticated', 'The X-Workspace-ID header is missing. Send the id of your workspace with every request.')
    const asked = new Request(new URL('/mcp', kernel.accessPolicy().baseUrl), { method: request.method, headers, signal: gone.signal })
    return reply.send(await handler.fetch(asked, request.method === 'POST' ? { parsedBody: request.body } : {}))
  }
  http.route({ method: ['GET', 'POST', 'DELETE'], url: '/mcp', handler: serve })
  return () => handler.close()
}
