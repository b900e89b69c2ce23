import type { FastifyInstance } from 'fastify'
import { api } from '../../contract/api.ts'
import { serveFeedbackGuide } from '../feedback/index.ts'
import type { openApiDocumentOf } from '../http/openapi.ts'
import { serveReference } from '../http/reference.ts'
import { serveAgentGuide } from './agent-guide.ts'
import { serveExamples } from './examples/index.ts'
import { serveGuide } from './guide.ts'

/** The pages under `/docs`: the reference, and guides for people, agents and those who report a defect. */
export function serveDocs(http: FastifyInstance, document: ReturnType<typeof openApiDocumentOf>): void {
  serveReference(http, api, document)
  serveFeedbackGuide(http)
  serveAgentGuide(http)
  serveExamples(http)
  serveGuide(http)
}
