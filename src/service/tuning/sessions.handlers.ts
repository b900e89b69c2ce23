import type { tuneSessionsEndpoints } from '../../contract/tuning/sessions.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { TuneSessions } from './sessions.service.ts'

export function tuneSessionsHandlers(sessions: TuneSessions): Handlers<typeof tuneSessionsEndpoints> {
  return {
    listTuneSessions: ({ workspaceId }, { query }) => sessions.list(workspaceId, query),
    createTuneSession: ({ workspaceId, workspace, principal, signal }, { query, body }) => {
      if (body.from_run) requireScope(principal, workspace, 'runs:read')
      return sessions.create(workspaceId, principal, body, query._automation, signal)
    },
    getTuneSession: ({ workspaceId }, { params, query }) => sessions.read(workspaceId, params.session_id, query),
    listTuneCases: ({ workspaceId }, { params, query }) => sessions.cases(workspaceId, params.session_id, query),
    patchTuneDraft: ({ workspaceId, principal, signal }, { params, body }) =>
      sessions.patch(workspaceId, params.session_id, principal, body, signal),
  }
}
