import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** The offline API reference at `/docs`, drawn from the same document that `/v1/openapi.json` answers. */
export async function serveReference(app: FastifyInstance, document: Record<string, unknown>): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: document as never } }) // the library's own document type is narrower than OpenAPI 3.1
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    theme: {
      title: 'Assay API reference',
      css: [{ filename: 'assay.css', content: '.swagger-ui .topbar { display: none } .swagger-ui .wrapper { max-width: 1100px }' }],
    },
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false, validatorUrl: null },
  })
}
