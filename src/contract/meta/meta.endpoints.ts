import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { JsonObject } from '../primitives.ts'

const tag = 'Service'

export const metaEndpoints = endpoints({
  getHealth: {
    method: 'GET',
    path: '/v1/health',
    tag,
    summary: 'Whether the service answers',
    scope: 'principal',
    status: 200,
    kind: 'json',
    response: z.strictObject({ status: z.literal('ok'), version: z.string(), service_version: z.string() }).meta({ id: 'Health' }),
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
