import type { runsEndpoints } from '../../contract/runs/runs.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { jobOwner } from '../jobs/index.ts'
import { runChangesHandlers } from './run-changes.handlers.ts'
import { runReportsHandlers } from './run-reports.handlers.ts'
import type { Runs } from './runs.service.ts'

export function runsHandlers(runs: Runs) {
  return { ...submittedRunsHandlers(runs), ...runChangesHandlers(runs), ...runReportsHandlers(runs) }
}

function submittedRunsHandlers(runs: Runs): Handlers<typeof runsEndpoints> {
  return {
    submitRun: ({ workspaceId, principal, idempotencyKey, markReplayed }, { body }) => {
      const { run, isNew } = runs.submit({
        workspaceId,
        principalId: principal.id,
        scope: 'runs:write',
        operationKey: idempotencyKey,
        quoteId: body.quote_id,
        name: body.name,
      })
      if (!isNew) markReplayed()
      return { run_id: run.id, run }
    },
    listRuns: ({ workspaceId }, { query }) => runs.list(workspaceId, query),
    getRun: ({ workspaceId }, { params }) => runs.read(workspaceId, params.run_id),
    cancelRun: ({ workspaceId }, { params }) => runs.cancel(workspaceId, params.run_id),
    getRunResults: ({ workspaceId }, { params, query }) => runs.results(workspaceId, params.run_id, query.version),
    getReferenceRuns: ({ workspaceId }, { params }) => runs.references(workspaceId, params.run_id),
    exportRun: ({ workspaceId }, { params, query }) => runs.export(workspaceId, params.run_id, query),
    prepareRunExport: ({ workspaceId, principal }, { params, body }) =>
      runs.prepareExport(workspaceId, params.run_id, body, jobOwner(principal)),
    exportRunAs: ({ workspaceId }, { params, query }) =>
      runs.export(workspaceId, params.run_id, { format: params.format, version: query.version }),
    listSamples: ({ workspaceId }, { params, query }) => runs.samplesAsSent(workspaceId, params.run_id, query),
    getSampleOutcomes: ({ workspaceId }, { params }) => runs.outcomes(workspaceId, params.run_id),
    getSampleGroups: ({ workspaceId }, { params }) => runs.groups(workspaceId, params.run_id),
    getSample: ({ workspaceId }, { params }) => runs.sampleAsSent(workspaceId, params.run_id, params.sample_id),
    streamRunEvents: ({ workspaceId, signal }, { params }) => runs.events(workspaceId, params.run_id, signal),
  }
}
