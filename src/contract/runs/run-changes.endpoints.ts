import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Uuid } from '../primitives.ts'
import { NewRegradeQuote, Regrade, RegradeQuote, Run, RunChanges, SamplesToRetry } from './runs.schemas.ts'

const params = z.strictObject({ run_id: Uuid })

/** Operations on submitted runs. They never change earlier result versions. */
export const runChangesEndpoints = endpoints('Runs', {
  changeRun: {
    route: 'PATCH /v1/runs/{run_id}',
    summary: 'Rename, archive or pin a run, change its concurrency, raise its spending limits',
    description:
      'Concurrency and spending limits take effect immediately. Raising the limit that stopped a run retries its missing samples as a part.',
    scope: 'runs:write',
    params,
    body: RunChanges,
    response: Run,
    errors: ['conflict', 'illegal_transition', 'insufficient_credit', 'spend_ceiling_reached', 'spending_limit_reached'],
  },
  pauseRun: {
    route: 'POST /v1/runs/{run_id}/pause',
    summary: 'Pause a run',
    description:
      'Begins no further samples; calls in flight end and are graded. The run waits, also over restarts, until it is resumed or cancelled, and its time limit does not count meanwhile. Does nothing when the run is paused already.',
    scope: 'runs:write',
    status: 202,
    params,
    response: Run,
    errors: ['illegal_transition'],
  },
  resumeRun: {
    route: 'POST /v1/runs/{run_id}/resume',
    summary: 'Resume a paused run',
    description:
      'Probes an endpoint that is down, skips a Retry-After wait, and restarts a run that the service could not execute. Does nothing when the run is not paused.',
    scope: 'runs:write',
    status: 202,
    params,
    response: Run,
    errors: ['illegal_transition'],
  },
  deleteRun: {
    route: 'DELETE /v1/runs/{run_id}',
    summary: 'Delete an ended run with its samples, transcripts and results',
    description: 'Cannot be undone. Ledger entries stay, and so do comparisons and evaluations, which keep their own record.',
    scope: 'runs:write',
    params,
    response: z.strictObject({ run_id: Uuid }),
    errors: ['illegal_transition', 'conflict'],
  },
  retryFailed: {
    route: 'POST /v1/runs/{run_id}/retry-failed',
    summary: 'Retry unscored samples',
    description:
      'Retries failed, missing and cancelled samples as a part: a run linked to this one. Its scores become the next result version.',
    scope: 'runs:write',
    status: 202,
    idempotent: 'stored',
    params,
    response: Run,
    errors: ['illegal_transition', 'conflict', 'insufficient_credit', 'spend_ceiling_reached', 'spending_limit_reached'],
  },
  retrySamples: {
    route: 'POST /v1/runs/{run_id}/retry',
    summary: 'Retry samples',
    description:
      'Retries the given samples as a part, bypassing the cache. Only a new score replaces the old one; earlier result versions stay readable.',
    scope: 'runs:write',
    status: 202,
    idempotent: 'stored',
    params,
    body: SamplesToRetry,
    response: Run,
    errors: ['illegal_transition', 'conflict', 'insufficient_credit', 'spend_ceiling_reached', 'spending_limit_reached'],
  },
  createRegradeQuote: {
    route: 'POST /v1/runs/{run_id}/regrade-quotes',
    summary: 'Quote the judge calls for grading a run with an evaluator',
    description: 'Grading by a deterministic evaluator costs nothing and needs no quote.',
    scope: 'runs:write',
    status: 201,
    idempotent: 'stored',
    params,
    body: NewRegradeQuote,
    response: RegradeQuote,
    errors: ['conflict', 'illegal_transition'],
  },
  regradeRun: {
    route: 'POST /v1/runs/{run_id}/regrade',
    summary: 'Regrade stored answers',
    description:
      'The model is not called again. The scores become the next result version; `regrade` of the run reports progress. An evaluator that calls judges requires a quote.',
    scope: 'runs:write',
    status: 202,
    idempotent: 'stored',
    params,
    body: Regrade,
    response: Run,
    errors: ['illegal_transition', 'conflict', 'quote_expired', 'insufficient_credit', 'spend_ceiling_reached'],
  },
})
