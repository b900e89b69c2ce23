import { notFound } from '../../contract/errors.ts'
import type { StartedDemo } from '../../contract/workspace/workspace.schemas.ts'
import type { workspaceEndpoints } from '../../contract/workspace/workspace.endpoints.ts'
import type { Principal, WorkspaceMembership } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { Sessions } from '../sessions/index.ts'
import { personOf } from './person-of.ts'
import type { Members } from './members.service.ts'
import type { Workspaces } from './workspaces.service.ts'

export interface Demo {
  start(principal: Principal): StartedDemo
  remove(principal: Principal, workspace: WorkspaceMembership): Promise<void>
}

export function workspaceHandlers(
  workspaces: Workspaces,
  members: Members,
  sessions: Sessions,
  demo: Demo,
): Handlers<typeof workspaceEndpoints> {
  return {
    listWorkspaces: ({ principal }, { query }) => workspaces.list(principal, query),
    createWorkspace: ({ principal }, { body }) => workspaces.create(principal, body.name),
    renameWorkspace: ({ workspace, workspaceId }, { params, body }) => {
      if (params.workspace_id.toLowerCase() !== workspaceId) throw notFound('workspace', params.workspace_id)
      return workspaces.rename(workspace, body.name)
    },
    startDemo: ({ principal }) => demo.start(principal),
    removeWorkspace: async ({ principal, workspace, workspaceId }, { params }) => {
      if (params.workspace_id.toLowerCase() !== workspaceId) throw notFound('workspace', params.workspace_id)
      await demo.remove(principal, workspace)
      return { ok: true as const }
    },
    listMembers: ({ workspaceId }, { query }) => members.list(workspaceId, query),
    inviteMember: (asker, { body }) => members.invite(asker, body.name, body.role),
    createMemberPairingCode: (asker, { params }) => members.createPairingCode(asker, params.member_id),
    setMemberRole: (asker, { params, body }) => members.setRole(asker, params.member_id, body.role),
    removeMember: (asker, { params, query }) => {
      members.remove(asker, params.member_id, query.owned_workspaces)
      return { ok: true as const }
    },
    listSessions: ({ principal }, { query }) => {
      const person = personOf(principal)
      return sessions.list(person.personId, person.id, query)
    },
    endSession: ({ principal }, { params }) => {
      sessions.end(personOf(principal).personId, params.session_id)
      return { ok: true as const }
    },
  }
}
