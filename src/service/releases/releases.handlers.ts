import type { releasesEndpoints } from '../../contract/releases/releases.endpoints.ts'
import { actorOf as authorOf } from '../datasets/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { Releases } from './releases.ts'

export function releasesHandlers({ suites, policies, decisions, labels }: Releases): Handlers<typeof releasesEndpoints> {
  return {
    createReleaseSuite: ({ workspaceId }, { body }) => suites.create(workspaceId, body),
    createReleaseDecision: ({ workspaceId, principal }, { body }) => decisions.create(authorOf(principal), workspaceId, body),
    listReleaseDecisions: ({ workspaceId }, { query }) => decisions.list(workspaceId, query),
    getReleaseDecision: ({ workspaceId }, { params }) => decisions.read(workspaceId, params.decision_id),
    advanceReleaseDecision: ({ workspaceId, principal }, { params }) => decisions.advance(workspaceId, params.decision_id, principal),
    cancelReleaseDecision: ({ workspaceId }, { params }) => decisions.cancel(workspaceId, params.decision_id),
    getReleaseRecord: ({ workspaceId }, { params, query }) => decisions.record(workspaceId, params.decision_id, query.format),
    createReleaseLabel: ({ workspaceId, principal }, { body }) => labels.create(principal, workspaceId, body),
    createReleasePolicy: ({ workspaceId }, { body }) => policies.create(workspaceId, body),
  }
}
