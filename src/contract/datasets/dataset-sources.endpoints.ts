import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { mostArchiveBytes } from '../media/media.schemas.ts'
import { page, paging, Uuid } from '../primitives.ts'
import {
  DatasetImport,
  DatasetImportForm,
  DatasetImportSummary,
  DatasetScan,
  NewScan,
  RunSource,
  RunSourceResult,
} from './dataset-imports.schemas.ts'

const ofDataset = z.strictObject({ dataset_id: Uuid })

/** Bulk additions to a dataset, and scans of all its examples. */
export const datasetSourcesEndpoints = endpoints('Datasets', {
  createDatasetImport: {
    route: 'POST /v1/datasets/{dataset_id}/imports',
    summary: 'Import examples from a file',
    description:
      'A multipart form. Every row is validated first; the examples become visible together once all are written, or not at all. An invalid row fails the import and is reported by line number.',
    scope: 'datasets:write',
    status: 202,
    kind: 'upload',
    params: ofDataset,
    body: DatasetImportForm,
    response: DatasetImport,
    maxBody: mostArchiveBytes,
    idempotent: 'own',
    errors: ['conflict', 'illegal_transition'],
  },
  getDatasetImport: {
    route: 'GET /v1/datasets/{dataset_id}/imports/{import_id}',
    summary: 'Read an import of examples',
    description: 'Poll until it has ended. Rows that were left out are named with their reason.',
    scope: 'datasets:read',
    params: z.strictObject({ dataset_id: Uuid, import_id: Uuid }),
    response: DatasetImport,
  },
  listDatasetImports: {
    route: 'GET /v1/datasets/{dataset_id}/imports',
    summary: 'List a dataset’s imports',
    description: 'Newest first.',
    scope: 'datasets:read',
    params: ofDataset,
    query: z.strictObject({ dry_run: z.boolean().optional().describe('Only previews, or only imports.'), ...paging() }),
    response: page(DatasetImportSummary),
    errors: ['invalid_cursor'],
  },
  addExamplesFromRun: {
    route: 'POST /v1/datasets/{dataset_id}/sources/run',
    summary: 'Add samples of a run as examples',
    description:
      'Input, answer and reference of each sample, with its scores, and verdicts in words, as metadata (`scores`, `labels`); for pairwise datasets the answers of two runs to the same task. Samples already in the dataset are skipped. Also needs the scope runs:read.',
    scope: 'datasets:write',
    computes: true,
    idempotent: 'stored',
    params: ofDataset,
    body: RunSource,
    response: RunSourceResult,
    errors: ['missing_scope', 'conflict', 'illegal_transition', 'result_not_ready'],
  },
  createDatasetScan: {
    route: 'POST /v1/datasets/{dataset_id}/scans',
    summary: 'Scan a dataset for duplicates and secrets',
    description: 'Each example gets a verification record bound to its revision; nothing is changed or removed.',
    scope: 'datasets:write',
    status: 202,
    idempotent: 'stored',
    params: ofDataset,
    body: NewScan,
    response: DatasetScan,
  },
  listDatasetScans: {
    route: 'GET /v1/datasets/{dataset_id}/scans',
    summary: 'List a dataset’s scans',
    description: 'Searches for secrets, personal data and near duplicates, newest first.',
    scope: 'datasets:read',
    params: ofDataset,
    query: z.strictObject(paging(10)),
    response: page(DatasetScan),
    errors: ['invalid_cursor'],
  },
  getDatasetScan: {
    route: 'GET /v1/datasets/{dataset_id}/scans/{scan_id}',
    summary: 'Read a scan',
    description: 'With its findings by example.',
    scope: 'datasets:read',
    params: z.strictObject({ dataset_id: Uuid, scan_id: Uuid }),
    response: DatasetScan,
  },
})
