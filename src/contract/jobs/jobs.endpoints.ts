import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { Job, JobKind, JobState, startScopes } from './jobs.schemas.ts'

const params = z.strictObject({ job_id: Uuid })

export const jobsEndpoints = endpoints('Jobs', {
  listJobs: {
    route: 'GET /v1/jobs',
    summary: 'List background jobs, newest first',
    description: 'Jobs of the workspace and machine-wide jobs.',
    scope: 'jobs:read',
    query: z.strictObject({ ...paging(), kind: JobKind.optional(), state: JobState.optional(), subject_id: Uuid.optional() }),
    response: page(Job),
    errors: ['invalid_cursor'],
  },
  getJob: {
    route: 'GET /v1/jobs/{job_id}',
    summary: 'Read a job, with its progress',
    description: 'A key that may start such a job may read it, too: with `runs:read` an export, with `catalog:write` an import.',
    scope: 'jobs:read',
    otherScopes: [...new Set(Object.values(startScopes))],
    params,
    response: Job,
  },
  cancelJob: {
    route: 'POST /v1/jobs/{job_id}/cancel',
    summary: 'Cancel a job',
    description:
      'Takes effect immediately: later results of the job are discarded, and its subject becomes `failed` with the code `cancelled`. Machine-wide jobs also require the scope workspace:write.',
    scope: 'jobs:write',
    params,
    response: Job,
    errors: ['illegal_transition'],
  },
  retryJob: {
    route: 'POST /v1/jobs/{job_id}/retry',
    summary: 'Retry a failed or cancelled job',
    description: 'Resumes from its last checkpoint. Machine-wide jobs also require the scope workspace:write.',
    scope: 'jobs:write',
    params,
    response: Job,
    errors: ['illegal_transition', 'conflict'],
  },
})
