import type { FastifyInstance } from 'fastify'
import { type Api, api } from '../contract/api.ts'
import type { metaEndpoints } from '../contract/meta/meta.endpoints.ts'
import type { Background } from './background.ts'
import { billingPages } from './billing/index.ts'
import type { Handlers } from './http/handler.ts'
import { mount } from './http/mount.ts'
import { openApiDocumentOf } from './http/openapi.ts'
import { installNotFound } from './http/server.ts'
import { serveUi } from './http/ui.ts'
import type { Kernel } from './kernel.ts'
import { serveMcp } from './mcp/serve-mcp.ts'
import { type Health, metaHandlers } from './meta/meta.handlers.ts'
import { serveDocs } from './meta/serve-docs.ts'

interface Served {
  readonly handlers: Omit<Handlers<Api>, keyof typeof metaEndpoints>
  readonly health: Health
  /** What a request waits for once it is parsed; null for none. */
  before(id: string): (() => Promise<void> | null) | null
}

/** Serves the operations and their description, the pages under `/docs`, MCP and the UI. */
export async function serve(kernel: Kernel, http: FastifyInstance, { handlers, health, before }: Served): Promise<Background> {
  const document = openApiDocumentOf(api)
  mount(http, kernel, api, { ...handlers, ...metaHandlers(kernel, document, health) }, { pages: billingPages, before })
  serveDocs(http, document)
  const mcp = serveMcp(http, kernel)
  const page = kernel.config.rendererDir === null ? () => null : await serveUi(http, kernel.config.rendererDir)
  installNotFound(http, kernel, api, page)
  return mcp
}
