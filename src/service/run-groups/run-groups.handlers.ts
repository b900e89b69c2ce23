import type { runGroupsEndpoints } from '../../contract/run-groups/run-groups.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { RunGroups } from './run-groups.service.ts'

export function runGroupsHandlers(groups: RunGroups): Handlers<typeof runGroupsEndpoints> {
  return {
    quoteRunGroup: ({ workspaceId }, { body }) => groups.quote(workspaceId, body),
    createRunGroup: ({ workspaceId, principal }, { body }) => groups.create(workspaceId, principal.id, body),
    listRunGroups: ({ workspaceId }, { query }) => groups.list(workspaceId, query),
    getRunGroup: ({ workspaceId }, { params }) => groups.read(workspaceId, params.run_group_id),
    cancelRunGroup: ({ workspaceId }, { params }) => groups.cancel(workspaceId, params.run_group_id),
    compareRunGroup: ({ workspaceId }, { params }) => groups.compare(workspaceId, params.run_group_id),
  }
}
