import type { suitesEndpoints } from '../../contract/suites/suites.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Suites } from './suites.service.ts'

export function suitesHandlers(suites: Suites): Handlers<typeof suitesEndpoints> {
  return {
    createSuite: ({ workspaceId }, { body }) => suites.create(workspaceId, body),
    listSuites: ({ workspaceId }, { query }) => suites.list(workspaceId, query),
    getSuite: ({ workspaceId }, { params }) => suites.read(workspaceId, params.suite_version_id),
    listPublicSuites: (_, { query }) => suites.listPublic(query),
    getPublicSuite: (_, { params }) => suites.readPublic(params.suite_version_id),
  }
}
