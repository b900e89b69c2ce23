import type { Endpoint } from '../../contract/endpoint.ts'
import { currentVersion, supportedVersions } from '../../contract/version.ts'

type Json = Record<string, unknown>

const version = { type: 'string', enum: supportedVersions, default: currentVersion }

/** What operations share: written once in the document's components. */
export const headerComponents = {
  parameters: {
    ServiceVersion: {
      name: 'Service-Version',
      in: 'header',
      required: false,
      description: 'Date version of the interface; the newest when absent.',
      schema: version,
    },
    WorkspaceId: {
      name: 'X-Workspace-ID',
      in: 'header',
      required: true,
      description: 'Id of the workspace.',
      schema: { type: 'string', format: 'uuid' },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key and body get the first answer again, with `Idempotency-Replayed: true`.',
      schema: { type: 'string', maxLength: 255 },
    },
  },
  headers: {
    RequestId: { description: 'Names this request in error reports and logs.', schema: { type: 'string', format: 'uuid' } },
    ServiceVersion: { description: 'The version of the interface that answered.', schema: version },
    IdempotencyReplayed: {
      description: 'Present when the first answer to this Idempotency-Key is repeated.',
      schema: { type: 'string', const: 'true' },
    },
    RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 0 } },
  },
}

const parameter = (name: keyof typeof headerComponents.parameters): Json => ({ $ref: `#/components/parameters/${name}` })
const header = (name: keyof typeof headerComponents.headers): Json => ({ $ref: `#/components/headers/${name}` })

/** Request headers besides the operation's own. */
export function commonParameters({ idempotent, headers, scope }: Endpoint): Json[] {
  const declaresKey = headers?.['idempotency-key'] !== undefined
  return [
    ...(idempotent && !declaresKey ? [parameter('IdempotencyKey')] : []),
    ...(scope === 'public' || scope === 'principal' ? [] : [parameter('WorkspaceId')]),
    parameter('ServiceVersion'),
  ]
}

const always = { 'X-Request-Id': header('RequestId'), 'Service-Version': header('ServiceVersion') }

export function replyHeaders({ idempotent, replyHeaders: own = {} }: Endpoint): Json {
  return {
    ...always,
    ...(idempotent ? { 'Idempotency-Replayed': header('IdempotencyReplayed') } : {}),
    ...Object.fromEntries(Object.entries(own).map(([name, description]) => [name, { description, schema: { type: 'string' } }])),
  }
}

export function errorHeaders(status: number): Json {
  return { ...always, ...(status === 429 || status === 503 ? { 'Retry-After': header('RetryAfter') } : {}) }
}
