import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { lazily } from '../../lib/lazily.ts'
import { authenticate } from '../auth/index.ts'
import type { Background } from '../background.ts'
import type { Kernel } from '../kernel.ts'

/** Messages in one request: it counts once for the pace of a key, and all are answered before others come to their turn. */
const largestBatch = 20

/** @throws ApiError malformed_request */
function requireShortBatch(body: unknown): void {
  if (Array.isArray(body) && body.length > largestBatch)
    throw new ApiError('malformed_request', `The batch has ${body.length} messages. Send at most ${largestBatch} with one request.`)
}

/**
 * The Model Context Protocol at `/mcp`: the 2026-07-28 protocol and, without sessions, the one before it. Behind the guard of every request;
 * a key is shown with every request, and each tool call is a request of the ordinary interface with that key. Cookies do not count.
 */
export function serveMcp(http: FastifyInstance, kernel: Kernel): Background {
  // Loaded by the first request: most services never get one.
  const handler = lazily(async () => (await import('./mcp-handler.ts')).mcpHandler(http, kernel))
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const principal = authenticate(kernel, { authorization: request.raw.headersDistinct['authorization'] ?? [], cookie: undefined })
    kernel.connections.admit(request.raw.socket, principal.id)
    kernel.throttle.admit(principal)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
    requireShortBatch(request.body)
    const [only] = principal.workspaces
    if (!headers.has('x-workspace-id') && only && principal.workspaces.length === 1) headers.set('x-workspace-id', only.id)
    if (!headers.has('x-workspace-id'))
      throw new ApiError('unauthenticated', 'The X-Workspace-ID header is missing. Send the id of your workspace with every request.')
    const asked = new Request(new URL('/mcp', kernel.accessPolicy().baseUrl), { method: request.method, headers, signal: gone.signal })
    const { fetch } = await handler()
    return reply.send(await fetch(asked, request.method === 'POST' ? { parsedBody: request.body } : {}))
  }
  http.route({ method: ['GET', 'HEAD', 'POST', 'DELETE'], url: '/mcp', handler: serve })
  return {
    close: async () => {
      await (await handler.made())?.close()
    },
  }
}
