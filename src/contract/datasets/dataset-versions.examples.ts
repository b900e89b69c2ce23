import type { BodyExamples } from '../body-examples.ts'
import type { datasetVersionsEndpoints } from './dataset-versions.endpoints.ts'

export const datasetVersionsExamples: BodyExamples<typeof datasetVersionsEndpoints> = {
  createDatasetVersion: { name: 'Approved in May', filter: { label: 'refund' } },
}
