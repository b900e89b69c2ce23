import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Uuid } from '../primitives.ts'
import { Regrade, Run, RunChanges, SamplesToRetry } from './runs.schemas.ts'

const tag = 'Runs'
const params = z.strictObject({ run_id: Uuid })

/** What can be done to a run after its submission. Earlier result versions stay as they are, whatever is done. */
export const runChangesEndpoints = endpoints({
  changeRun: {
    method: 'PATCH',
    path: '/v1/runs/{run_id}',
    tag,
    summary: 'Rename or archive a run, change its concurrency, raise its caps',
    description:
      'Concurrency and caps act at once on a run that is being carried out. Raising the cap that stopped a run asks what is missing, as a part.',
    scope: 'runs:write',
    status: 200,
    kind: 'json',
    params,
    body: RunChanges,
    response: Run,
    errors: ['not_found', 'conflict', 'illegal_transition', 'insufficient_credit', 'spend_ceiling_reached'],
  },
  resumeRun: {
    method: 'POST',
    path: '/v1/runs/{run_id}/resume',
    tag,
    summary: 'End the wait of a paused run',
    description:
      'Probes an endpoint that does not answer, skips a pause that the provider asked for, and executes a run again that the service failed to execute. A run that does not wait stays as it is.',
    scope: 'runs:write',
    status: 202,
    kind: 'json',
    params,
    response: Run,
    errors: ['not_found', 'illegal_transition'],
  },
  deleteRun: {
    method: 'DELETE',
    path: '/v1/runs/{run_id}',
    tag,
    summary: 'Delete an ended run with its samples, transcripts and results',
    description: 'For good. Its ledger entries stay, and so do comparisons and evaluations that hold their own record of it.',
    scope: 'runs:write',
    status: 200,
    kind: 'json',
    params,
    response: z.strictObject({ run_id: Uuid }),
    errors: ['not_found', 'illegal_transition', 'conflict'],
  },
  retryFailed: {
    method: 'POST',
    path: '/v1/runs/{run_id}/retry-failed',
    tag,
    summary: 'Ask again what has no score',
    description:
      'Failed, missing and cancelled samples, as a part: a run of its own, linked to this one. When it ends, its scores make the next result version.',
    scope: 'runs:write',
    status: 202,
    kind: 'json',
    idempotent: 'stored',
    params,
    response: Run,
    errors: ['not_found', 'illegal_transition', 'conflict', 'insufficient_credit', 'spend_ceiling_reached'],
  },
  retrySamples: {
    method: 'POST',
    path: '/v1/runs/{run_id}/retry',
    tag,
    summary: 'Ask the named samples again',
    description:
      'As a part, past the cache. Only a new score replaces what a sample had; the present result version stays readable as it is.',
    scope: 'runs:write',
    status: 202,
    kind: 'json',
    idempotent: 'stored',
    params,
    body: SamplesToRetry,
    response: Run,
    errors: ['not_found', 'illegal_transition', 'conflict', 'insufficient_credit', 'spend_ceiling_reached'],
  },
  regradeRun: {
    method: 'POST',
    path: '/v1/runs/{run_id}/regrade',
    tag,
    summary: 'Grade the stored answers again',
    description: 'Nobody is asked anything. The scores make the next result version; the run’s `regrade` tells how far it is.',
    scope: 'runs:write',
    status: 202,
    kind: 'json',
    idempotent: 'stored',
    params,
    body: Regrade,
    response: Run,
    errors: ['not_found', 'illegal_transition', 'conflict'],
  },
})
