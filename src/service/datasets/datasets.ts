import { mediaReader } from '../../storage/reads/media-reader.ts'
import { storedFacts } from '../../storage/reads/stored-media.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import { createAgreements } from './cached-agreement.ts'
import { createDatasetRecords } from './datasets.service.ts'
import { createExamples } from './examples.service.ts'
import { createDatasetImports } from './imports.service.ts'
import { createScans } from './scans.service.ts'
import { createDatasetVersions } from './versions.service.ts'

export type Datasets = ReturnType<typeof createDatasets>

/** What datasets need of other features. */
export interface DatasetParts {
  readonly jobs: Jobs
  readonly workers: Workers
  readonly media: Pick<Media, 'find' | 'keep' | 'record'>
}

/** Datasets, their examples and versions, and what brings examples in. */
export function createDatasets(kernel: Kernel, { jobs, workers, media }: DatasetParts) {
  const examples = createExamples(kernel, workers, media)
  const agreementOf = createAgreements(workers)
  const versions = createDatasetVersions(kernel, examples, workers, agreementOf)
  const imports = createDatasetImports(kernel, examples, jobs, { workers, media })
  return {
    records: createDatasetRecords(kernel, examples, agreementOf),
    examples,
    versions,
    mediaOf: (workspaceId: string) => mediaReader(kernel.db, kernel.config.dataDir, workspaceId),
    factsOf: (workspaceId: string) => (digests: readonly string[]) => storedFacts(kernel.db, workspaceId, digests),
    imports,
    scans: createScans(kernel, examples, jobs, workers),
    /** Before the jobs start. */
    start: (): void => {
      versions.removeUnsealed()
      imports.start()
    },
    close: () => imports.close(),
  }
}
