import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewReleaseLabel, ReleaseLabel } from './labels.schemas.ts'

export const releaseLabelsEndpoints = endpoints('Releases', {
  createReleaseLabel: {
    route: 'POST /v1/releases/labels',
    summary: 'Add a person’s verdict on a sample, an example or a decision',
    description: 'For signed-in people. A verdict on a decision takes effect with the next `advance`.',
    scope: 'releases:write',
    status: 201,
    idempotent: 'stored',
    body: NewReleaseLabel,
    response: ReleaseLabel,
    errors: ['not_found', 'conflict', 'illegal_transition', 'human_approval_required'],
  },
  listReleaseLabels: {
    route: 'GET /v1/releases/labels',
    summary: 'List people’s verdicts on a sample',
    description: 'Newest first. Each person’s newest verdict counts.',
    scope: 'releases:read',
    query: z.strictObject({ ...paging(), run_id: Uuid, sample_id: Uuid }),
    response: page(ReleaseLabel),
    errors: ['not_found', 'invalid_cursor'],
  },
})
