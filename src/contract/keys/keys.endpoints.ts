import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { ApiKey, CreatedApiKey, KeyCeilingBody, NewApiKeyBody, RollKeyBody } from './keys.schemas.ts'

const params = z.strictObject({ key_id: Uuid })

export const keysEndpoints = endpoints('Keys', {
  listApiKeys: {
    route: 'GET /v1/api-keys',
    summary: 'List the workspace’s keys',
    description: 'With scopes, limits, spending and last use. The keys themselves are shown once, when they are created.',
    scope: 'keys:read',
    query: z.strictObject(paging()),
    response: page(ApiKey),
    errors: ['invalid_cursor'],
  },
  createApiKey: {
    route: 'POST /v1/api-keys',
    summary: 'Create a key',
    description:
      'The response contains the secret once. A key cannot create a key with more scopes, a later expiry or a higher spending limit.',
    scope: 'keys:write',
    status: 201,
    idempotent: 'sealed',
    body: NewApiKeyBody,
    response: CreatedApiKey,
    errors: ['owner_session_required'],
  },
  setKeyCeiling: {
    route: 'PATCH /v1/api-keys/{key_id}',
    summary: 'Set or clear a key’s spending limits and worker labels',
    description:
      'For owner and admin sessions; keys are always refused. Spending limits also apply to the keys it was rolled from or into; worker labels are granted by owners only.',
    scope: 'keys:write',
    params,
    body: KeyCeilingBody,
    response: ApiKey,
    errors: ['owner_session_required'],
  },
  revokeApiKey: {
    route: 'DELETE /v1/api-keys/{key_id}',
    summary: 'Revoke a key',
    description:
      'Its next request is refused and its open event streams end. Its runs continue. Safe to repeat. A key cannot revoke the one in service.json, nor one with more scopes, a later expiry or a higher spending limit.',
    scope: 'keys:write',
    params,
    response: ApiKey,
    errors: ['owner_session_required'],
  },
  rollApiKey: {
    route: 'POST /v1/api-keys/{key_id}/roll',
    summary: 'Replace a key',
    description:
      'The replacement has the same name, scopes and expiry and shares the spending limit; the response contains the secret once.',
    scope: 'keys:write',
    status: 201,
    idempotent: 'sealed',
    params,
    body: RollKeyBody,
    response: CreatedApiKey,
    errors: ['conflict', 'illegal_transition', 'owner_session_required'],
  },
})
