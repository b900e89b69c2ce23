import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewRemoteScorer, RemoteScorer, RemoteScorerUpdate, RemoteScorerWithSecret } from './remote-scorers.schemas.ts'

const tag = 'Remote scorers'
const params = z.strictObject({ remote_scorer_id: Uuid })

export const remoteScorersEndpoints = endpoints({
  createRemoteScorer: {
    method: 'POST',
    path: '/v1/remote-scorers',
    tag,
    summary: 'Register a custom HTTP scorer',
    description:
      'Requests are signed as Standard Webhooks 1.0 asks. Addresses: https, or loopback; a private network needs `allow_private`. A failure is `unscored` with its reason, never a score.',
    scope: 'evaluators:write',
    status: 201,
    kind: 'json',
    idempotent: 'sealed',
    body: NewRemoteScorer,
    response: RemoteScorerWithSecret,
    errors: ['human_approval_required', 'unavailable'],
  },
  listRemoteScorers: {
    method: 'GET',
    path: '/v1/remote-scorers',
    tag,
    summary: 'List remote scorers',
    scope: 'evaluators:read',
    status: 200,
    kind: 'json',
    query: z.strictObject(paging()),
    response: page(RemoteScorer),
    errors: ['invalid_cursor'],
  },
  updateRemoteScorer: {
    method: 'PATCH',
    path: '/v1/remote-scorers/{remote_scorer_id}',
    tag,
    summary: 'Change or enable a remote scorer',
    scope: 'evaluators:write',
    status: 200,
    kind: 'json',
    params,
    body: RemoteScorerUpdate,
    response: RemoteScorer,
    errors: ['not_found', 'human_approval_required', 'illegal_transition', 'unavailable'],
  },
  disableRemoteScorer: {
    method: 'DELETE',
    path: '/v1/remote-scorers/{remote_scorer_id}',
    tag,
    summary: 'Disable a remote scorer',
    scope: 'evaluators:write',
    status: 200,
    kind: 'json',
    params,
    response: RemoteScorer,
    errors: ['not_found'],
  },
  testRemoteScorer: {
    method: 'POST',
    path: '/v1/remote-scorers/{remote_scorer_id}/test',
    tag,
    summary: 'Send a signed ping',
    scope: 'evaluators:write',
    status: 200,
    kind: 'json',
    params,
    response: RemoteScorer,
    errors: ['not_found', 'illegal_transition', 'unavailable'],
  },
  rotateRemoteScorerSecret: {
    method: 'POST',
    path: '/v1/remote-scorers/{remote_scorer_id}/rotate-secret',
    tag,
    summary: 'Make a new signing secret',
    description: 'The old secret also signs for 24 hours.',
    scope: 'evaluators:write',
    status: 200,
    kind: 'json',
    idempotent: 'sealed',
    params,
    response: RemoteScorerWithSecret,
    errors: ['not_found', 'unavailable'],
  },
})
