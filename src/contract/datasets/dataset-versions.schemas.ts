import { z } from 'zod'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { DatasetTask, ScoreRange } from './datasets.schemas.ts'
import { By, ExampleOrigin, exampleContent, LabelMaker, LabelState, LabelValue } from './examples.schemas.ts'

export const VersionFilter = named('DatasetVersionFilter', {
  label: LabelValue.optional().describe('Only examples with this consensus.'),
  origin: ExampleOrigin.shape.kind.optional(),
})

export const NewDatasetVersion = named('NewDatasetVersion', { name: Name.optional(), filter: VersionFilter.default({}) })

/** How far the annotators of a dataset agreed when a version was frozen. */
export const VersionAnnotators = named('VersionAnnotators', {
  alpha: z
    .number()
    .nullable()
    .describe('Krippendorff’s alpha of the whole dataset; null where no two annotators labeled the same examples, or it is unknown.'),
  tied: z.int().min(0).describe('Examples that fit the filter, are not rejected and whose annotators tied.'),
})

/** Immutable snapshot of approved revisions with their consensus labels. */
export const DatasetVersion = named('DatasetVersion', {
  id: Uuid,
  dataset_id: Uuid,
  version: z.int().min(1),
  name: z.string(),
  task: DatasetTask,
  labels: z.array(z.string()).nullable(),
  score_range: ScoreRange.nullable(),
  filter: VersionFilter,
  digest: Sha256.describe('Digest of contents and consensus labels, in order: equal contents have equal digests.'),
  example_count: z.int().min(1),
  labeled_count: z.int().min(0).describe('Examples with a consensus label.'),
  labeled_by_people_count: z.int().min(0).describe('Of those, examples labeled by people.'),
  annotators: VersionAnnotators.nullable().describe('When the version was frozen; null for versions of earlier releases.'),
  created_by: By,
  created_at: Timestamp,
})

/** An example as stored in a version. */
export const FrozenExample = named('FrozenExample', {
  example_id: Uuid,
  revision: z.int().min(1),
  digest: Sha256.describe('Digest of input, output, expected and metadata.'),
  ...exampleContent,
  label: LabelValue.nullable(),
  label_state: LabelState,
  label_by: LabelMaker.nullable(),
  origin: ExampleOrigin,
})

export const VersionChange = named('DatasetVersionChange', {
  change: z
    .enum(['added', 'removed', 'revised', 'relabeled'])
    .describe(
      'Changes from `against` to this version. `revised`: a different revision; `relabeled`: the same revision with a different consensus.',
    ),
  example_id: Uuid,
  before: FrozenExample.nullable(),
  after: FrozenExample.nullable(),
})

const count = z.int().min(0)

export const VersionDiff = named('DatasetVersionDiff', {
  against: Uuid.nullable().describe('Null for the first version.'),
  counts: z.strictObject({ added: count, removed: count, revised: count, relabeled: count, unchanged: count }),
  items: z.array(VersionChange),
  next_cursor: z.string().max(2048).nullable(),
})

export type DatasetVersion = z.infer<typeof DatasetVersion>
export type FrozenExample = z.infer<typeof FrozenExample>
export type NewDatasetVersion = z.infer<typeof NewDatasetVersion>
export type VersionChange = z.infer<typeof VersionChange>
export type VersionDiff = z.infer<typeof VersionDiff>
export type VersionFilter = z.infer<typeof VersionFilter>
export type VersionAnnotators = z.infer<typeof VersionAnnotators>
