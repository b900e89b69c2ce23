import type { retentionEndpoints } from '../../contract/retention/retention.endpoints.ts'
import { requireRole } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { RetentionService } from './retention.service.ts'

export function retentionHandlers(retention: RetentionService): Handlers<typeof retentionEndpoints> {
  return {
    listRetention: ({ workspaceId }) => retention.list(workspaceId),
    previewRetention: ({ workspaceId }, { query: { kind, max_age_days = null, max_items = null } }) =>
      retention.preview(workspaceId, kind, { max_age_days, max_items }),
    changeRetention: ({ workspaceId, principal, workspace }, { body: { kind, ...rule } }) => {
      requireRole(principal, workspace, ['owner', 'admin'], 'set how long data is kept')
      return retention.change(workspaceId, kind, rule, principal.name)
    },
  }
}
