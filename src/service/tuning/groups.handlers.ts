import { invalidField } from '../../contract/errors.ts'
import type { tuneGroupsEndpoints } from '../../contract/tuning/groups.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { TuneGroups } from './groups.service.ts'

export function tuneGroupsHandlers(groups: TuneGroups): Handlers<typeof tuneGroupsEndpoints> {
  return {
    approveTuneSession: ({ workspaceId, principal, signal }, { params, body }) =>
      groups.approve(workspaceId, params.session_id, principal, body, signal),
    createTuneQuote: ({ workspaceId }, { params, body }) => groups.quote(workspaceId, params.session_id, body),
    getTuneQuote: ({ workspaceId }, { params }) => groups.readQuote(workspaceId, params.session_id, params.quote_id),
    startTuneGroup: ({ workspaceId, principal, idempotencyKey, markReplayed }, { params, body }) => {
      if (idempotencyKey === null)
        throw invalidField(['header', 'Idempotency-Key'], 'is required: a group that was started must not be started twice', 'missing')
      const { session, isNew } = groups.start(workspaceId, params.session_id, principal, body.quote_id, idempotencyKey)
      if (!isNew) markReplayed()
      return session
    },
    cancelTuneSession: ({ workspaceId }, { params }) => groups.cancel(workspaceId, params.session_id),
    exportTuneSession: ({ workspaceId }, { params }) => groups.export(workspaceId, params.session_id),
  }
}
