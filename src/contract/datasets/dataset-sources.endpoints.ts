import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { DatasetImport, DatasetImportForm, DatasetScan, NewScan, RunSource, RunSourceResult } from './dataset-imports.schemas.ts'

const tag = 'Datasets'
const ofDataset = z.strictObject({ dataset_id: Uuid })

/** What reaches a dataset in bulk, and what looks at all of it. */
export const datasetSourcesEndpoints = endpoints({
  createDatasetImport: {
    method: 'POST',
    path: '/v1/datasets/{dataset_id}/imports',
    tag,
    summary: 'Import examples from a file',
    description:
      'A multipart form. Every row is checked first; the examples become visible together once all are written, or not at all. A row that cannot be used fails the import and is named by its line.',
    scope: 'datasets:write',
    status: 202,
    kind: 'upload',
    params: ofDataset,
    body: DatasetImportForm,
    response: DatasetImport,
    maxBody: 1024 * 1024 * 1024,
    idempotent: 'own',
    errors: ['not_found', 'conflict', 'payload_too_large', 'unsupported_media_type'],
  },
  getDatasetImport: {
    method: 'GET',
    path: '/v1/datasets/{dataset_id}/imports/{import_id}',
    tag,
    summary: 'Read an import of examples',
    scope: 'datasets:read',
    status: 200,
    kind: 'json',
    params: z.strictObject({ dataset_id: Uuid, import_id: Uuid }),
    response: DatasetImport,
    errors: ['not_found'],
  },
  addExamplesFromRun: {
    method: 'POST',
    path: '/v1/datasets/{dataset_id}/sources/run',
    tag,
    summary: 'Add samples of a run as examples',
    description:
      'Input, answer and reference of each sample, with its score as metadata. A sample that is there already is not added twice.',
    scope: 'datasets:write',
    status: 200,
    kind: 'json',
    idempotent: 'stored',
    params: ofDataset,
    body: RunSource,
    response: RunSourceResult,
    errors: ['not_found', 'conflict', 'result_not_ready'],
  },
  createDatasetScan: {
    method: 'POST',
    path: '/v1/datasets/{dataset_id}/scans',
    tag,
    summary: 'Scan a dataset for duplicates and secrets',
    description: 'Each example gets a verification record bound to its revision; nothing is changed or removed.',
    scope: 'datasets:write',
    status: 202,
    kind: 'json',
    idempotent: 'stored',
    params: ofDataset,
    body: NewScan,
    response: DatasetScan,
    errors: ['not_found'],
  },
  listDatasetScans: {
    method: 'GET',
    path: '/v1/datasets/{dataset_id}/scans',
    tag,
    summary: 'List a dataset’s scans',
    scope: 'datasets:read',
    status: 200,
    kind: 'json',
    params: ofDataset,
    query: z.strictObject(paging(10)),
    response: page(DatasetScan),
    errors: ['not_found', 'invalid_cursor'],
  },
  getDatasetScan: {
    method: 'GET',
    path: '/v1/datasets/{dataset_id}/scans/{scan_id}',
    tag,
    summary: 'Read a scan',
    scope: 'datasets:read',
    status: 200,
    kind: 'json',
    params: z.strictObject({ dataset_id: Uuid, scan_id: Uuid }),
    response: DatasetScan,
    errors: ['not_found'],
  },
})
