import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewRemoteScorer, RemoteScorer, RemoteScorerUpdate, RemoteScorerWithSecret } from './remote-scorers.schemas.ts'

const params = z.strictObject({ remote_scorer_id: Uuid })

export const remoteScorersEndpoints = endpoints('Remote scorers', {
  createRemoteScorer: {
    route: 'POST /v1/remote-scorers',
    summary: 'Register a custom HTTP scorer',
    description:
      'Requests are signed as Standard Webhooks 1.0 asks. Addresses: https, or loopback; a private network needs `allow_private`. A failure is `unscored` with its reason, never a score.',
    scope: 'evaluators:write',
    status: 201,
    idempotent: 'sealed',
    body: NewRemoteScorer,
    response: RemoteScorerWithSecret,
    errors: ['human_approval_required', 'unavailable'],
  },
  listRemoteScorers: {
    route: 'GET /v1/remote-scorers',
    summary: 'List remote scorers',
    description: 'Scorers behind an address of your own, with the result of their last test.',
    scope: 'evaluators:read',
    query: z.strictObject(paging()),
    response: page(RemoteScorer),
    errors: ['invalid_cursor'],
  },
  updateRemoteScorer: {
    route: 'PATCH /v1/remote-scorers/{remote_scorer_id}',
    summary: 'Change or enable a remote scorer',
    description: 'A change of address clears the secret; test it again.',
    scope: 'evaluators:write',
    params,
    body: RemoteScorerUpdate,
    response: RemoteScorer,
    errors: ['human_approval_required', 'illegal_transition', 'unavailable'],
  },
  disableRemoteScorer: {
    route: 'DELETE /v1/remote-scorers/{remote_scorer_id}',
    summary: 'Disable a remote scorer',
    description: 'Evaluators that use it leave outputs unscored until it is enabled again.',
    scope: 'evaluators:write',
    params,
    response: RemoteScorer,
  },
  testRemoteScorer: {
    route: 'POST /v1/remote-scorers/{remote_scorer_id}/test',
    summary: 'Send a signed ping',
    description: 'One request with a made-up output; tells whether address, signature and reply are right.',
    scope: 'evaluators:write',
    params,
    response: RemoteScorer,
    errors: ['illegal_transition', 'unavailable'],
  },
  rotateRemoteScorerSecret: {
    route: 'POST /v1/remote-scorers/{remote_scorer_id}/rotate-secret',
    summary: 'Make a new signing secret',
    description: 'The old secret also signs for 24 hours.',
    scope: 'evaluators:write',
    idempotent: 'sealed',
    params,
    response: RemoteScorerWithSecret,
    errors: ['unavailable'],
  },
})
