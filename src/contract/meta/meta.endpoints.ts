import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { JsonObject } from '../primitives.ts'
import { Health, Identity } from './meta.schemas.ts'

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
  proveIdentity: {
    method: 'GET',
    path: '/v1/identity',
    tag,
    summary: 'Proof that this service knows your token, before you send it',
    description:
      'Another program may have taken the port that you were told. Send a nonce of your own, compute HMAC-SHA256 with the lower-case hex SHA-256 of your token as key and `assay-identity`, the host with its port as you ask for it (`127.0.0.1:4747`) and the nonce, each on a line of its own, as message, and send the token only where `proof` is the same.',
    scope: 'public',
    status: 200,
    kind: 'json',
    query: z.strictObject({
      nonce: z
        .string()
        .regex(/^[A-Za-z0-9_-]{16,128}$/, 'must be 16 to 128 letters, digits, dashes or underscores')
        .describe('New and random for each question.'),
      key: z
        .string()
        .regex(/^asy_[A-Za-z0-9_-]{6}$/, 'must be the first ten characters of a key')
        .optional()
        .describe('First ten characters of the API key that you hold. Left out: the `session_token` of service.json.'),
    }),
    response: Identity,
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
  getRunConfigSchema: {
    method: 'GET',
    path: '/v1/schemas/run-config.json',
    tag,
    summary: 'JSON Schema of assay.yaml',
    description: 'For editors and checks of the file that `assay run --config` reads.',
    scope: 'public',
    status: 200,
    kind: 'json',
    response: JsonObject,
  },
})
