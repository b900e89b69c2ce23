import type { runChangesEndpoints } from '../../contract/runs/run-changes.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Runs } from './runs.service.ts'

export function runChangesHandlers(runs: Runs): Handlers<typeof runChangesEndpoints> {
  return {
    changeRun: ({ workspaceId, principal }, { params, body }) => runs.change(workspaceId, params.run_id, principal.id, body),
    pauseRun: ({ workspaceId }, { params }) => runs.pause(workspaceId, params.run_id),
    resumeRun: ({ workspaceId, principal }, { params }) => runs.resume(workspaceId, params.run_id, principal.id),
    deleteRun: ({ workspaceId, principal }, { params }) => {
      runs.delete(workspaceId, params.run_id, jobOwner(principal))
      return { run_id: params.run_id }
    },
    retryFailed: ({ workspaceId, principal }, { params }) => runs.retryFailed(workspaceId, params.run_id, principal.id),
    retrySamples: ({ workspaceId, principal }, { params, body }) =>
      runs.retrySamples(workspaceId, params.run_id, principal.id, body.sample_ids),
    createRegradeQuote: ({ workspaceId }, { params, body }) => runs.quoteRegrade(workspaceId, params.run_id, body),
    regradeRun: ({ workspaceId, principal, signal }, { params, body }) =>
      runs.regrade(workspaceId, params.run_id, body, jobOwner(principal), signal),
  }
}
