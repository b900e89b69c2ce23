import type { datasetsEndpoints } from '../../contract/datasets/datasets.endpoints.ts'
import type { datasetSourcesEndpoints } from '../../contract/datasets/dataset-sources.endpoints.ts'
import type { datasetVersionsEndpoints } from '../../contract/datasets/dataset-versions.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { actorOf } from './actor.ts'
import { createRunSource, type RunExamples, type RunReader } from './add-from-run.ts'
import type { Datasets } from './datasets.ts'
import { exportVersion } from './export-version.ts'

export function datasetsHandlers(datasets: Datasets, runs: RunReader) {
  return {
    ...recordsHandlers(datasets),
    ...versionsHandlers(datasets),
    ...sourcesHandlers(datasets, createRunSource({ runs, examples: datasets.examples })),
  }
}

function recordsHandlers({ records, examples }: Datasets): Handlers<typeof datasetsEndpoints> {
  return {
    createDataset: ({ workspaceId }, { body }) => records.create(workspaceId, body),
    listDatasets: ({ workspaceId }, { query }) => records.list(workspaceId, query),
    getDataset: ({ workspaceId }, { params }) => records.read(workspaceId, params.dataset_id),
    updateDataset: ({ workspaceId }, { params, body }) => records.update(workspaceId, params.dataset_id, body),
    addExamples: ({ workspaceId, principal }, { params, body }) =>
      examples.add(actorOf(principal), workspaceId, params.dataset_id, body.examples),
    listExamples: ({ workspaceId, signal }, { params, query }) => examples.list(workspaceId, params.dataset_id, query, signal),
    getExample: ({ workspaceId }, { params, query }) => examples.read(workspaceId, params.dataset_id, params.example_id, query.revision),
    reviseExample: ({ workspaceId, principal }, { params, body }) =>
      examples.revise(actorOf(principal), workspaceId, params.dataset_id, params.example_id, body),
    labelExample: ({ workspaceId, principal }, { params, body }) =>
      examples.label(actorOf(principal), workspaceId, params.dataset_id, params.example_id, body),
    reviewExample: ({ workspaceId, principal }, { params, body }) =>
      examples.review(actorOf(principal), workspaceId, params.dataset_id, params.example_id, body),
    reviewExamples: ({ workspaceId, workspace, principal, signal }, { params, body }) => {
      // How many match says what is in them.
      if (body.filter) requireScope(principal, workspace, 'datasets:read')
      return examples.reviewMany(actorOf(principal), workspaceId, params.dataset_id, body, signal)
    },
    getVerificationHistory: ({ workspaceId }, { params }) => examples.history(workspaceId, params.dataset_id, params.example_id),
  }
}

function versionsHandlers({ versions, records, mediaOf, factsOf }: Datasets): Handlers<typeof datasetVersionsEndpoints> {
  return {
    createDatasetVersion: ({ workspaceId, principal }, { params, body }) =>
      versions.create(actorOf(principal), workspaceId, params.dataset_id, body),
    listDatasetVersions: ({ workspaceId }, { params, query }) => versions.list(workspaceId, params.dataset_id, query),
    getDatasetVersion: ({ workspaceId }, { params }) => versions.readOf(workspaceId, params.dataset_id, params.version_id),
    diffDatasetVersions: ({ workspaceId }, { params, query }) => versions.diff(workspaceId, params.dataset_id, params.version_id, query),
    exportDatasetVersion: async ({ workspaceId }, { params, query }) => {
      const version = versions.readOf(workspaceId, params.dataset_id, params.version_id)
      const { name } = await records.read(workspaceId, params.dataset_id)
      return exportVersion({
        ...query,
        name: `${name}-v${version.version}`,
        batches: () => versions.eachExample(workspaceId, version.id, 50),
        needs: () => versions.needs(workspaceId, version.id),
        readMedia: mediaOf(workspaceId),
        factsOf: factsOf(workspaceId),
      })
    },
  }
}

function sourcesHandlers({ imports, scans }: Datasets, runExamples: RunExamples): Handlers<typeof datasetSourcesEndpoints> {
  return {
    createDatasetImport: (context, parts, params) => imports.create(context, params.dataset_id, parts),
    listDatasetImports: ({ workspaceId }, { params, query }) => imports.list(workspaceId, params.dataset_id, query),
    getDatasetImport: ({ workspaceId }, { params }) => imports.read(workspaceId, params.dataset_id, params.import_id),
    addExamplesFromRun: async ({ workspaceId, workspace, principal }, { params, body }) => {
      requireScope(principal, workspace, 'runs:read')
      const { skipped, ...counts } = await runExamples.add(actorOf(principal), workspaceId, params.dataset_id, body)
      return { ...counts, skipped: [...skipped] }
    },
    createDatasetScan: ({ workspaceId, principal }, { params, body }) =>
      scans.create(actorOf(principal), workspaceId, params.dataset_id, body.kinds),
    listDatasetScans: ({ workspaceId }, { params, query }) => scans.list(workspaceId, params.dataset_id, query),
    getDatasetScan: ({ workspaceId }, { params }) => scans.read(workspaceId, params.dataset_id, params.scan_id),
  }
}
