import type { worldsEndpoints } from '../../contract/worlds/worlds.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers, WorkspaceContext } from '../http/handler.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Worlds } from './worlds.service.ts'

export function worldsHandlers(worlds: Worlds): Handlers<typeof worldsEndpoints> {
  /** The judge of a world becomes evaluators of the workspace. */
  const requireForJudge = ({ principal, workspace }: WorkspaceContext, { judge }: { readonly judge?: unknown }): void => {
    if (judge !== undefined) requireScope(principal, workspace, 'evaluators:write')
  }
  return {
    createEnvironment: (context, { body }) => {
      requireForJudge(context, body)
      return worlds.create(context.workspaceId, body, context.signal)
    },
    listEnvironmentVersions: ({ workspaceId }, { query }) => worlds.list(workspaceId, query),
    getEnvironmentVersion: ({ workspaceId }, { params }) => worlds.read(workspaceId, params.environment_version_id),
    attackEnvironment: (context, { params, body }) => {
      const { workspaceId, signal } = context
      requireForJudge(context, worlds.read(workspaceId, params.environment_version_id).definition)
      return worlds.attack(workspaceId, params.environment_version_id, body, signal)
    },
    attackDataset: ({ workspaceId, workspace, principal, signal }, { params, body }) => {
      requireScope(principal, workspace, 'datasets:read')
      return worlds.attackDataset(workspaceId, params.dataset_id, body, signal)
    },
    rewriteAttacks: ({ workspaceId, principal, signal }, { body }) => worlds.rewriteAttacks(workspaceId, jobOwner(principal), body, signal),
    checkEnvironment: ({ signal }, { body }) => worlds.check(body.definition, signal),
    draftEnvironment: ({ workspaceId, signal }, { body }) => worlds.draft(workspaceId, body, signal),
    startEnvironmentDraft: ({ workspaceId, workspace, principal }, { body }) => {
      if (body.trace_ids) requireScope(principal, workspace, 'traces:read')
      return worlds.drafts.start(workspaceId, jobOwner(principal), body.title ?? (body.files ? 'Imported files' : 'Test of traces'), body)
    },
    getEnvironmentDraft: ({ workspaceId, workspace, principal }, { params }) => {
      const { draft, isOfTraces } = worlds.drafts.read(workspaceId, params.environment_draft_id)
      if (isOfTraces) requireScope(principal, workspace, 'traces:read')
      return draft
    },
    tryEnvironment: ({ signal }, { body }) => worlds.try(body, signal),
  }
}
