import type { Workers } from '../../workers/pool.ts'
import type { Kernel } from '../kernel.ts'
import { createAgreements } from './cached-agreement.ts'
import { createDatasetRecords } from './datasets.service.ts'
import { createExamples } from './examples.service.ts'
import { createDatasetVersions } from './versions.service.ts'

export type Datasets = ReturnType<typeof createDatasets>

/** Datasets, their examples and their versions. */
export function createDatasets(kernel: Kernel, workers: Pick<Workers, 'datasets'>) {
  const examples = createExamples(kernel)
  const versions = createDatasetVersions(kernel, examples, workers)
  return { records: createDatasetRecords(kernel, examples, createAgreements(workers)), examples, versions }
}
