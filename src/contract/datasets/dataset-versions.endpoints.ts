import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { DatasetVersion, NewDatasetVersion, VersionDiff } from './dataset-versions.schemas.ts'

const ofDataset = z.strictObject({ dataset_id: Uuid })
const ofVersion = z.strictObject({ dataset_id: Uuid, version_id: Uuid })

export const datasetVersionsEndpoints = endpoints('Datasets', {
  createDatasetVersion: {
    route: 'POST /v1/datasets/{dataset_id}/versions',
    summary: 'Freeze the approved examples as an immutable version',
    description: 'Its digest names the content; later changes of the dataset do not touch it.',
    scope: 'datasets:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    params: ofDataset,
    body: NewDatasetVersion,
    response: DatasetVersion,
    errors: ['conflict'],
  },
  listDatasetVersions: {
    route: 'GET /v1/datasets/{dataset_id}/versions',
    summary: 'List a dataset’s versions',
    description: 'Newest first.',
    scope: 'datasets:read',
    params: ofDataset,
    query: z.strictObject(paging()),
    response: page(DatasetVersion),
    errors: ['invalid_cursor'],
  },
  getDatasetVersion: {
    route: 'GET /v1/datasets/{dataset_id}/versions/{version_id}',
    summary: 'Read a dataset version',
    description: 'Counts, label coverage and digest.',
    scope: 'datasets:read',
    params: ofVersion,
    response: DatasetVersion,
  },
  diffDatasetVersions: {
    route: 'GET /v1/datasets/{dataset_id}/versions/{version_id}/diff',
    summary: 'Compare two versions of a dataset',
    description: 'Examples that were added, removed and changed.',
    scope: 'datasets:read',
    params: ofVersion,
    query: z.strictObject({
      against: Uuid.optional().describe('The version to compare with; the previous one when absent.'),
      ...paging(),
    }),
    response: VersionDiff,
    errors: ['invalid_cursor'],
  },
  exportDatasetVersion: {
    route: 'GET /v1/datasets/{dataset_id}/versions/{version_id}/export',
    summary: 'Download a dataset version',
    description:
      'Text of a CSV cell that a spreadsheet could run as a formula is prefixed with an apostrophe; JSON and JSON Lines are lossless. `zip` holds the examples as JSON Lines and the media files that they name by digest; `media.json` lists them. An import takes such an archive as it is: up to 2 GB and 200,000 files. A version that needs more is exported in parts.',
    scope: 'datasets:read',
    kind: 'file',
    files: ['application/x-ndjson', 'text/csv', 'application/json', 'application/zip'],
    fileExamples: {
      'application/x-ndjson':
        '{"example_id":"01934f00-0000-7000-8000-000000000001","revision":1,"input":"2 + 2","output":"4","label":"pass"}\n',
      'text/csv': 'example_id,revision,input,output,output_a,output_b,expected,label,label_state,label_by,metadata',
      'application/json':
        '[{"example_id":"01934f00-0000-7000-8000-000000000001","revision":1,"input":"2 + 2","output":"4","label":"pass"}]',
    },
    params: ofVersion,
    query: z.strictObject({
      format: z.enum(['jsonl', 'csv', 'json', 'zip']).default('jsonl'),
      part: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe('Of `zip`: which archive, where the version makes several. Without it such a version is refused with their number.'),
    }),
  },
})
