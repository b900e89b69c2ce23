import type { retentionEndpoints } from '../../contract/retention/retention.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { RetentionService } from './retention.service.ts'

export function retentionHandlers(retention: RetentionService): Handlers<typeof retentionEndpoints> {
  return {
    listRetention: ({ workspaceId }) => retention.list(workspaceId),
    previewRetention: ({ workspaceId }, { params, query: { max_age_days = null, max_items = null } }) =>
      retention.preview(workspaceId, params.kind, { max_age_days, max_items }),
    changeRetention: ({ workspaceId, principal }, { params, body }) => retention.change(workspaceId, params.kind, body, principal.name),
  }
}
