import type { worldsEndpoints } from '../../contract/worlds/worlds.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Worlds } from './worlds.service.ts'

export function worldsHandlers(worlds: Worlds): Handlers<typeof worldsEndpoints> {
  return {
    createEnvironment: ({ workspaceId, signal }, { body }) => worlds.create(workspaceId, body, signal),
    listEnvironmentVersions: ({ workspaceId }, { query }) => worlds.list(workspaceId, query),
    getEnvironmentVersion: ({ workspaceId }, { params }) => worlds.read(workspaceId, params.environment_version_id),
    attackEnvironment: ({ workspaceId, signal }, { params, body }) =>
      worlds.attack(workspaceId, params.environment_version_id, body, signal),
    attackDataset: ({ workspaceId, signal }, { params, body }) => worlds.attackDataset(workspaceId, params.dataset_id, body, signal),
    checkEnvironment: ({ signal }, { body }) => worlds.check(body.definition, signal),
    draftEnvironment: ({ workspaceId, signal }, { body }) => worlds.draft(workspaceId, body, signal),
    tryEnvironment: ({ signal }, { body }) => worlds.try(body, signal),
  }
}
