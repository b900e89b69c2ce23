import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { areas } from '../tags.ts'
import { JsonObject } from '../primitives.ts'
import { Health, Identity } from './meta.schemas.ts'

export const metaEndpoints = endpoints('Service', {
  getHealth: {
    route: 'GET /v1/health',
    summary: 'Check that the service is running and can store data',
    description: '`degraded` while data cannot be stored or a run waits for a person; `storage` and `runs` say which.',
    scope: 'principal',
    response: Health,
  },
  proveIdentity: {
    route: 'GET /v1/identity',
    summary: 'Prove the service’s identity before sending a token',
    description:
      'Another program may be listening on the expected port. Send a random nonce and compute HMAC-SHA256 with the lower-case hex SHA-256 of your token as key. The message is three lines: `assay-identity`, the requested host with port (`127.0.0.1:4747`) and the nonce. Send the token only if `proof` is equal.',
    scope: 'public',
    query: z.strictObject({
      nonce: z
        .string()
        .regex(/^[A-Za-z0-9_-]{16,128}$/, 'must be 16 to 128 letters, digits, dashes or underscores')
        .describe('New random value for each request.'),
      key: z
        .string()
        .regex(/^asy_[A-Za-z0-9_-]{6}$/, 'must be the first ten characters of a key')
        .optional()
        .describe('First ten characters of your API key. When absent, the `session_token` of service.json is used.'),
    }),
    response: Identity,
  },
  getOpenApi: {
    route: 'GET /v1/openapi.json',
    summary: 'Read the OpenAPI 3.1 document',
    description: 'The whole interface, or with `area` the operations of one tag and the schemas that they use.',
    scope: 'public',
    query: z.strictObject({
      area: z.enum(areas).optional().describe('One tag in lower case, with dashes for blanks. Absent: everything.'),
    }),
    response: JsonObject,
  },
  getRunConfigSchema: {
    route: 'GET /v1/schemas/run-config.json',
    summary: 'JSON Schema of assay.yaml',
    description: 'For editors and checks of the file that `assay run --config` reads.',
    scope: 'public',
    response: JsonObject,
  },
  getPackageSchema: {
    route: 'GET /v1/schemas/package.json',
    summary: 'JSON Schema of assay.package.json',
    description: 'For editors and checks of the manifest of a benchmark package.',
    scope: 'public',
    response: JsonObject,
  },
})
