import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** The offline API reference at `/docs`, drawn from the same document that `/v1/openapi.json` answers. */
export async function serveReference(app: FastifyInstance, document: () => Record<string, unknown>): Promise<void> {
  // The page's plugin requires this one, which wants a document when the service starts; the page gets the real one below.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
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
}
