import { endpoints } from '../endpoint.ts'
import { NewReleaseSuite, ReleaseSuite } from './suites.schemas.ts'

export const releaseSuitesEndpoints = endpoints('Releases', {
  createReleaseSuite: {
    route: 'POST /v1/releases/suites',
    summary: 'Create an immutable release suite version',
    description: 'Groups of exact tasks with weights. A task in two groups and weights that add to 0 are refused; unknown tasks are named.',
    scope: 'releases:write',
    status: 201,
    idempotent: 'stored',
    maxBody: 16 * 1024 * 1024,
    body: NewReleaseSuite,
    response: ReleaseSuite,
    errors: ['not_found', 'task_unavailable', 'conflict'],
  },
})
