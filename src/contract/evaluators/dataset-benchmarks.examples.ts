import type { BodyExamples } from '../body-examples.ts'
import type { datasetBenchmarksEndpoints } from './dataset-benchmarks.endpoints.ts'

export const datasetBenchmarksExamples: BodyExamples<typeof datasetBenchmarksEndpoints> = {
  createDatasetBenchmark: { name: 'Support tickets', evaluator_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e09' },
}
