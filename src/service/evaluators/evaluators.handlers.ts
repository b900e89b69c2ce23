import type { datasetBenchmarksEndpoints } from '../../contract/evaluators/dataset-benchmarks.endpoints.ts'
import type { evaluatorsEndpoints } from '../../contract/evaluators/evaluators.endpoints.ts'
import type { remoteScorersEndpoints } from '../../contract/evaluators/remote-scorers.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Datasets } from '../datasets/index.ts'
import type { Handlers } from '../http/handler.ts'
import { jobOwner } from '../jobs/index.ts'
import type { Evaluators } from './evaluators.ts'
import type { RemoteScorers } from './remote-scorers.service.ts'

export function evaluatorsHandlers(evaluators: Evaluators, datasets: Datasets) {
  return { ...recordsHandlers(evaluators, datasets), ...remoteScorersHandlers(evaluators.remoteScorers) }
}

function recordsHandlers({ records, drafts, calibrations, tryOn }: Evaluators, datasets: Datasets): Handlers<typeof evaluatorsEndpoints> {
  return {
    listEvaluators: ({ workspaceId }, { query }) => records.list(workspaceId, query),
    createEvaluator: ({ workspaceId, signal }, { body }) => records.create(workspaceId, body, signal),
    getEvaluator: ({ workspaceId }, { params }) => records.read(workspaceId, params.evaluator_version_id),
    getEvaluatorOptions: () => records.options(),
    tryEvaluator: ({ workspaceId, signal }, { body }) => records.try(workspaceId, body, signal),
    runEvaluatorTrial: ({ workspaceId, principal, signal }, { body }) => tryOn(workspaceId, jobOwner(principal), body, signal),
    previewEvaluator: ({ workspaceId, signal }, { body }) => records.preview(workspaceId, body, signal),
    createEvaluatorDraft: ({ workspaceId, principal }, { body }) => drafts.create(workspaceId, jobOwner(principal), body),
    getEvaluatorDraft: ({ workspaceId }, { params }) => drafts.read(workspaceId, params.draft_id),
    listEvaluatorDrafts: ({ workspaceId }, { query }) => drafts.list(workspaceId, query),
    listCalibrationExamples: ({ workspaceId }, { params, query }) =>
      datasets.versions.examplePage(workspaceId, params.dataset_version_id, query),
    quoteCalibration: ({ workspaceId }, { body }) => calibrations.quote(workspaceId, body),
    createCalibration: ({ workspaceId, principal }, { body }) => calibrations.create(workspaceId, jobOwner(principal), body),
    getCalibration: ({ workspaceId }, { params }) => calibrations.read(workspaceId, params.calibration_id),
    changeCalibration: ({ workspaceId }, { params, body }) => calibrations.change(workspaceId, params.calibration_id, body),
    listCalibrations: ({ workspaceId }, { query }) => calibrations.list(workspaceId, query),
    listCalibrationItems: ({ workspaceId }, { params, query }) => calibrations.items(workspaceId, params.calibration_id, query),
  }
}

export function datasetBenchmarksHandlers({ benchmarks }: Evaluators): Handlers<typeof datasetBenchmarksEndpoints> {
  return {
    createDatasetBenchmark: ({ workspaceId, workspace, principal }, { params, body }) => {
      requireScope(principal, workspace, 'datasets:read')
      return benchmarks.create(workspaceId, { datasetId: params.dataset_id, versionId: params.version_id }, body)
    },
    listDatasetBenchmarks: ({ workspaceId }, { params, query }) =>
      benchmarks.list(workspaceId, params.dataset_id, params.version_id, query),
  }
}

function remoteScorersHandlers(scorers: RemoteScorers): Handlers<typeof remoteScorersEndpoints> {
  return {
    createRemoteScorer: (registrant, { body }) => scorers.create(registrant, body),
    listRemoteScorers: ({ workspaceId }, { query }) => scorers.list(workspaceId, query),
    updateRemoteScorer: (registrant, { params, body }) => scorers.update(registrant, params.remote_scorer_id, body),
    disableRemoteScorer: ({ workspaceId }, { params }) => scorers.disable(workspaceId, params.remote_scorer_id),
    testRemoteScorer: ({ workspaceId, signal }, { params }) => scorers.test(workspaceId, params.remote_scorer_id, signal),
    rotateRemoteScorerSecret: ({ workspaceId }, { params }) => scorers.rotate(workspaceId, params.remote_scorer_id),
  }
}
