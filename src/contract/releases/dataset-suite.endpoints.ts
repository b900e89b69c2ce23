import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Uuid } from '../primitives.ts'
import { DatasetSuite, NewDatasetSuite } from './dataset-suite.schemas.ts'

export const releaseDatasetsEndpoints = endpoints('Releases', {
  createDatasetSuite: {
    route: 'POST /v1/releases/datasets/{dataset_id}/versions/{version_id}/suite',
    summary: 'Make a private benchmark and a release suite of a dataset version',
    description:
      'The frozen examples become tasks that only this workspace sees. The same body gives the same benchmark and suite. Also needs the scope datasets:read.',
    scope: 'releases:write',
    status: 201,
    idempotent: 'stored',
    params: z.strictObject({ dataset_id: Uuid, version_id: Uuid }),
    body: NewDatasetSuite,
    response: DatasetSuite,
    errors: ['missing_scope', 'conflict', 'task_unavailable'],
  },
})
