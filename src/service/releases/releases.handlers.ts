import type { releasesEndpoints } from '../../contract/releases/releases.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Releases } from './releases.ts'

export function releasesHandlers({ suites, policies }: Releases): Handlers<typeof releasesEndpoints> {
  return {
    createReleaseSuite: ({ workspaceId }, { body }) => suites.create(workspaceId, body),
    createReleasePolicy: ({ workspaceId }, { body }) => policies.create(workspaceId, body),
  }
}
