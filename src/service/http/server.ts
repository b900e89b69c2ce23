import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { EndpointTable } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { authenticate } from '../auth/index.ts'
import type { Kernel } from '../kernel.ts'
import { answerClientError } from './client-error.ts'
import { compressAnswers } from './compress.ts'
import { installErrorHandler, sendError } from './errors.ts'
import { guard } from './guard.ts'
import { readJsonBody } from './json-body.ts'
import { writeAnswer } from './lasting-answers.ts'
import { credentialsOf } from './mount.ts'
import { withoutTrailingSlash } from './trailing-slash.ts'
import { prefersHtml } from './accepted.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Sent with every answer: nothing sniffs it, frames it, caches it or reads it from elsewhere. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Pages send their own, which allows them their own files.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** An HTTP server with the door, the error envelope and the body parsers in place, and no route yet. */
export async function createHttpServer({ log, ids, storage, config, accessPolicy, connections }: Kernel): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log
  const limits = { headersTimeout: 10_000, maxHeaderSize: 16_384, connectionsCheckingInterval: 2_000 }
  const tls = config.remote?.tls
  const options = {
    loggerInstance,
    // One line per answer is written below.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw: IncomingMessage) => {
      const sent = raw.headers['x-request-id']
      return typeof sent === 'string' && uuid.test(sent) ? sent.toLowerCase() : ids.next()
    },
    // For uploads of a gibibyte; every other body has to hurry, see mount.
    requestTimeout: 300_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 0,
    maxRequestsPerSocket: 0,
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: true },
    forceCloseConnections: true,
    clientErrorHandler: answerClientError(ids),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers({ ...securityHeaders, 'x-request-id': request.id })
      sendError(new ApiError('not_found', 'The path cannot be read.'), request, reply)
    },
  }
  const app: FastifyInstance = tls
    ? // A server with TLS is one without in everything that is asked of it here; only its type says its sockets are others.
      (Fastify({ ...options, https: { ...limits, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } }) as unknown as FastifyInstance)
    : Fastify({ ...options, http: limits })
  // Above what `connections` lets anybody have: the operating system's own queue is the last resort.
  app.server.maxConnections = 2000
  connections.watch(app.server, tls ? 'secureConnection' : 'connection')
  // This is not a proxy.
  app.server.on('connect', (_request, socket) => socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n'))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders, 'x-request-id': request.id, 'cache-control': 'no-store' })
    guard(request.raw, accessPolicy().origins)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      { method: request.method, route: request.routeOptions.url ?? null, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
  })
  app.setReplySerializer(writeAnswer)
  compressAnswers(app)
  installErrorHandler(app, storage, connections)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/json\b/i, { parseAs: 'buffer' }, (_request: FastifyRequest, body: Buffer) => readJsonBody(body))
  await app.register(cookie)
  await app.register(multipart)
  return app
}

/** Answers for paths and methods that no route takes. */
export function installNotFound(
  app: FastifyInstance,
  kernel: Kernel,
  table: EndpointTable,
  page: (path: string) => { html: string; csp: string } | null,
): void {
  const routes = Object.values(table).map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const isPageRead = (request.method === 'GET' || request.method === 'HEAD') && (path === '/' || prefersHtml(request.headers.accept))
    const ui = isPageRead ? page(path) : null
    if (ui) return reply.type('text/html; charset=utf-8').header('content-security-policy', ui.csp).send(ui.html)
    // Who has no business here is not told what exists.
    if (path.startsWith('/v1/')) authenticate(kernel, credentialsOf(request))
    const others = routes.filter(route => route.pattern.test(withoutTrailingSlash(path))).map(route => route.method)
    if (others.length === 0) throw new ApiError('not_found', `No such path: ${path.slice(0, 200)}. ${adviceFor(path)}`)
    throw new ApiError(
      'method_not_allowed',
      `${request.method} is not possible on ${path.slice(0, 200)}; possible: ${others.join(', ')}.`,
      { headers: { allow: others.join(', ') } },
    )
  })
}

/** Exporters of OpenTelemetry send three signals by default, and append a path to whatever address they are given. */
function adviceFor(path: string): string {
  if (/\/v1\/(?:logs|metrics)\/?$/.test(path)) return 'Traces alone are stored: set OTEL_LOGS_EXPORTER and OTEL_METRICS_EXPORTER to none.'
  if (/\/v1\/traces\/?$/.test(path)) return 'OTLP traces are received at /v1/traces.'
  return 'See /docs for the API reference and /docs/agents for a guide.'
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '/'
}
