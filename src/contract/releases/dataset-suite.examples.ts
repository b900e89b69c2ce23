import type { BodyExamples } from '../body-examples.ts'
import type { releaseDatasetsEndpoints } from './dataset-suite.endpoints.ts'

export const releaseDatasetsExamples: BodyExamples<typeof releaseDatasetsEndpoints> = {
  createDatasetSuite: { name: 'Support tickets', evaluator_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e08' },
}
