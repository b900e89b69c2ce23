import Fastify, { type FastifyInstance } from 'fastify'
import { lazily } from '../../lib/lazily.ts'

const prefix = '/docs'

/** The offline API reference at `/docs`, drawn from the same document that `/v1/openapi.json` answers; loaded by the first request. */
export function serveReference(app: FastifyInstance, document: () => Record<string, unknown>): void {
  const reference = lazily(() => createReference(document))
  for (const url of [prefix, `${prefix}/`, `${prefix}/static/*`, `${prefix}/json`, `${prefix}/yaml`])
    app.get(url, async (request, reply) => {
      const { statusCode, headers, rawPayload } = await (await reference()).inject({ url: request.url, headers: request.headers })
      if (statusCode >= 400) return reply.callNotFound()
      const { connection: _connection, date: _date, ...own } = headers
      return reply.code(statusCode).headers(own).send(rawPayload)
    })
}

async function createReference(document: () => Record<string, unknown>): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([import('@fastify/swagger'), import('@fastify/swagger-ui')])
  const app: FastifyInstance = Fastify()
  // The page's plugin requires this one, which wants a document when it is registered; the page gets the real one below.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
  })
  await app.register(swaggerUi, {
    routePrefix: prefix,
    transformSpecification: document,
    transformSpecificationClone: false,
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    theme: {
      title: 'Assay API reference',
      css: [{ filename: 'assay.css', content: '.swagger-ui .topbar { display: none } .swagger-ui .wrapper { max-width: 1100px }' }],
    },
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false, validatorUrl: null },
  })
  return app
}
