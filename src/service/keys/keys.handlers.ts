import type { keysEndpoints } from '../../contract/keys/keys.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Keys } from './keys.service.ts'

export function keysHandlers(keys: Keys): Handlers<typeof keysEndpoints> {
  return {
    listApiKeys: ({ workspaceId }, { query }) => keys.list(workspaceId, query),
    createApiKey: (asker, { body }) => keys.create(asker, body),
    setKeyCeiling: (asker, { params, body }) => keys.setCeiling(asker, params.key_id, body.ceiling_microusd),
    revokeApiKey: (asker, { params }) => keys.revoke(asker, params.key_id),
    rollApiKey: (asker, { params, body }) => keys.roll(asker, params.key_id, body.overlap),
  }
}
