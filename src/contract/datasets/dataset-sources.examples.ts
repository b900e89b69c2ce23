import type { BodyExamples } from '../body-examples.ts'
import type { datasetSourcesEndpoints } from './dataset-sources.endpoints.ts'

export const datasetSourcesExamples: BodyExamples<typeof datasetSourcesEndpoints> = {
  createDatasetImport: { format: 'jsonl', mapping: { input: 'question', expected: 'answer', labels: { ann: 'label' } }, dry_run: true },
  addExamplesFromRun: { run_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e02', filter: { passed: false }, limit: 100 },
  createDatasetScan: { kinds: ['duplicates', 'secrets'] },
}
