import { endpoints } from '../endpoint.ts'
import { JsonObject } from '../primitives.ts'
import { Health } from './meta.schemas.ts'

const tag = 'Service'

export const metaEndpoints = endpoints({
  getHealth: {
    method: 'GET',
    path: '/v1/health',
    tag,
    summary: 'Whether the service answers, and whether it can store',
    scope: 'principal',
    status: 200,
    kind: 'json',
    response: Health,
  },
  getOpenApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    tag,
    summary: 'This interface as an OpenAPI 3.1 document',
    scope: 'public',
    status: 200,
    kind: 'json',
    response: JsonObject,
  },
})
