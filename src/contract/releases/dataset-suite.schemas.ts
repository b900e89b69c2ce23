import { z } from 'zod'
import { datasetQuestions } from '../evaluators/dataset-benchmarks.schemas.ts'
import { Name, named } from '../primitives.ts'
import { ReleaseSuite } from './suites.schemas.ts'

export const NewDatasetSuite = named('NewDatasetSuite', {
  name: Name,
  ...datasetQuestions,
  group_by: z.string().min(1).max(100).optional().describe('Metadata key whose values become the groups, 50 at most; default: one group.'),
  critical_values: z.array(z.string().min(1).max(200)).max(50).default([]).describe('Values of `group_by` whose groups are critical.'),
})

export const DatasetSuite = named('DatasetSuite', {
  suite: ReleaseSuite,
  benchmark: z.strictObject({ slug: z.string(), source_ref: z.string(), profile_id: z.string() }),
})

export type NewDatasetSuite = z.infer<typeof NewDatasetSuite>
export type DatasetSuite = z.infer<typeof DatasetSuite>
