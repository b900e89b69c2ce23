import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { DatasetBenchmark, NewDatasetBenchmark } from './dataset-benchmarks.schemas.ts'

const path = '/v1/datasets/{dataset_id}/versions/{version_id}/benchmarks'
const common = {
  params: z.strictObject({ dataset_id: Uuid, version_id: Uuid }),
} as const

export const datasetBenchmarksEndpoints = endpoints('Datasets', {
  createDatasetBenchmark: {
    ...common,
    route: `POST ${path}`,
    summary: 'Make a benchmark of a dataset version',
    description:
      'Each frozen example becomes a task that only this workspace sees, graded by an evaluator; pairwise judges are refused. The same body gives the same benchmark version. Add further evaluators with `execution.evaluators` of a quote. Also needs the scope datasets:read, since whoever reads the catalog sees its tasks.',
    scope: 'catalog:write',
    status: 201,
    idempotent: 'stored',
    body: NewDatasetBenchmark,
    response: DatasetBenchmark,
    errors: ['missing_scope', 'conflict'],
  },
  listDatasetBenchmarks: {
    ...common,
    route: `GET ${path}`,
    summary: 'List the benchmarks made of a dataset version',
    description: 'Benchmarks keep the version that they were made of.',
    scope: 'datasets:read',
    query: z.strictObject(paging()),
    response: page(DatasetBenchmark),
    errors: ['invalid_cursor'],
  },
})
