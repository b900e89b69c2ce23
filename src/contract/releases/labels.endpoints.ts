import { endpoints } from '../endpoint.ts'
import { NewReleaseLabel, ReleaseLabel } from './labels.schemas.ts'

export const releaseLabelsEndpoints = endpoints({
  createReleaseLabel: {
    method: 'POST',
    path: '/v1/releases/labels',
    tag: 'Releases',
    summary: 'Add a person’s verdict on a sample, an example or a decision',
    description: 'For signed-in people. A verdict on a decision takes effect with the next `advance`.',
    scope: 'releases:write',
    status: 201,
    kind: 'json',
    idempotent: 'stored',
    body: NewReleaseLabel,
    response: ReleaseLabel,
    errors: ['not_found', 'conflict', 'illegal_transition', 'human_approval_required'],
  },
})
