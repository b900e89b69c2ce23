import { z } from 'zod'
import { formatsAs } from '../catalog/file-formats.ts'
import { JsonObject, named, Sha256, textMatches, Timestamp, Uuid } from '../primitives.ts'
import { datasetImportMachine } from './dataset-import.machine.ts'
import { datasetScanMachine } from './dataset-scan.machine.ts'
import { Annotator, exampleContent, LabelValue } from './examples.schemas.ts'

const Column = z.string().min(1).max(200)

export const DatasetFormat = z
  .enum(formatsAs('examples'))
  .describe(
    'Tables by their columns, with a `mapping`; or the datasets of Inspect and OpenAI evals and the tests of promptfoo, whose fields are known.',
  )

export const DatasetMapping = z
  .strictObject({
    input: z.union([Column, z.array(Column).min(1).max(50)]).describe('Column with the input; several become an object of named fields.'),
    output: Column.optional().describe(
      'In a pairwise dataset: a column with an object `{a, b}` of both outputs, as in an exported version.',
    ),
    output_a: Column.optional().describe('With `output_b`, for pairwise datasets whose outputs are two columns.'),
    output_b: Column.optional(),
    expected: Column.optional(),
    id: Column.optional().describe('Column with the item’s id, which is stored with its origin.'),
    metadata: Column.optional().describe(
      'Column with an object that is the whole metadata, as in an exported version; the other unmapped columns are then left out.',
    ),
    labels: z.record(Annotator, Column).optional().describe('Column of labels per annotator. Empty cells mean no label.'),
    label_values: z
      .record(z.string().max(200), LabelValue)
      .optional()
      .describe('Maps the file’s values to the dataset’s labels, e.g. `{"0": "tie", "1": "a", "2": "b"}`.'),
  })
  .refine(mapping => (mapping.output_a === undefined) === (mapping.output_b === undefined), {
    message: 'output_a and output_b come together',
  })
  .refine(mapping => mapping.output === undefined || mapping.output_a === undefined, { message: 'give output, or output_a and output_b' })
  .describe('Unmapped columns become metadata.')
  .meta({ id: 'DatasetMapping' })

/** The text fields of the form; the file is its one `file` part. */
export const DatasetImportForm = named('DatasetImportForm', {
  format: DatasetFormat,
  mapping: DatasetMapping.optional().describe('As JSON text. Required for tables, except in a dry run that only lists the columns.'),
  dry_run: z.boolean().default(false).describe('Validates and previews without importing.'),
})

export const ImportedLabel = z.strictObject({ annotator: z.string(), value: LabelValue })

const count = z.int().min(0)

const endedWith = z
  .strictObject({ code: z.string(), message: z.string() })
  .nullable()
  .describe('Error code if it failed for a reason other than its content; `cancelled` when its job was cancelled.')

export const DatasetImport = named('DatasetImport', {
  id: Uuid,
  dataset_id: Uuid,
  job_id: Uuid.nullable(),
  status: z.enum(datasetImportMachine.states).describe('`previewed` ends a dry run. Examples are visible from `imported` on.'),
  dry_run: z.boolean(),
  format: DatasetFormat,
  mapping: DatasetMapping.nullable(),
  file: z.strictObject({ name: z.string(), bytes: count, sha256: Sha256 }),
  rows: z.strictObject({ read: count, valid: count, invalid: count }),
  columns: z.array(z.string()).describe('Columns found in the first rows, for use in the mapping.'),
  sample_rows: z.array(JsonObject).describe('First rows of the file; long texts are truncated.'),
  preview: z
    .array(z.strictObject({ line: z.int().min(1), ...exampleContent, labels: z.array(ImportedLabel) }))
    .describe('Preview of the first examples; long texts are truncated.'),
  errors: z
    .array(z.strictObject({ line: z.int().min(1).nullable(), message: z.string() }))
    .describe('At most the first 100; `error_count` is the total.'),
  error_count: count,
  warnings: z.array(z.string()),
  created: count,
  duplicates: count.describe('Rows skipped because the dataset already contains an equal example.'),
  duplicate_items: z.array(z.strictObject({ line: z.int().min(1), example_id: Uuid })).describe('At most the first 100.'),
  error: endedWith,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

/** An import as lists show it: without the rows that it found. */
export const DatasetImportSummary = DatasetImport.omit({
  columns: true,
  sample_rows: true,
  preview: true,
  errors: true,
  duplicate_items: true,
}).meta({ id: 'DatasetImportSummary' })

export const RunSource = named('RunSource', {
  run_id: Uuid,
  result_version: z.int().min(1).optional().describe('The latest when absent.'),
  against_run_id: Uuid.optional().describe(
    'A second run, for datasets of the task `pairwise`, which need it: each sample is paired with that run’s answer to the same task and epoch. `metadata.model_a` and `metadata.model_b` name the models, as rankings read them.',
  ),
  filter: z
    .strictObject({
      passed: z.boolean().optional(),
      profile_id: z.string().min(1).max(300).optional(),
      q: z.string().max(200).optional().describe('Search words, as in the list of a run’s samples.'),
      match: z.enum(textMatches).optional().describe('As in the list of a run’s samples.'),
    })
    .default({}),
  sample_ids: z.array(Uuid).min(1).max(1000).optional().describe('Exactly these samples, in this order; instead of `filter` and `limit`.'),
  limit: z.int().min(1).max(1000).default(100).describe('Max samples to add, in the run’s order.'),
})

export const RunSourceResult = named('RunSourceResult', {
  created: count,
  duplicates: count,
  skipped: z.array(z.strictObject({ sample_id: Uuid, reason: z.string() })),
})

export const ScanKind = z.enum(['duplicates', 'secrets'])

export const NewScan = named('NewDatasetScan', { kinds: z.array(ScanKind).min(1).max(2).default(['duplicates', 'secrets']) })

export const DatasetScan = named('DatasetScan', {
  id: Uuid,
  dataset_id: Uuid,
  job_id: Uuid.nullable(),
  status: z.enum(datasetScanMachine.states),
  kinds: z.array(ScanKind),
  examples: count.describe('Examples scanned.'),
  duplicates: count.describe('Examples that equal or nearly equal an earlier one.'),
  secrets: count.describe('Examples that contain a possible secret.'),
  findings: z
    .array(
      z.strictObject({
        kind: ScanKind,
        example_id: Uuid,
        revision: z.int().min(1),
        of_example_id: Uuid.nullable().describe('The earlier example that it duplicates.'),
        similarity: z.number().nullable().describe('Jaccard similarity of the texts’ three-word shingles; 1 for equal texts.'),
        fields: z.array(z.string()).describe('Where a secret was found. The secret itself is not shown.'),
      }),
    )
    .describe('At most the first 1,000; see each example’s verification history for the rest.'),
  error: endedWith,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

export type DatasetFormat = z.infer<typeof DatasetFormat>
export type DatasetImport = z.infer<typeof DatasetImport>
export type DatasetImportForm = z.infer<typeof DatasetImportForm>
export type DatasetMapping = z.infer<typeof DatasetMapping>
export type DatasetScan = z.infer<typeof DatasetScan>
export type ImportedLabel = z.infer<typeof ImportedLabel>
export type DatasetImportSummary = z.infer<typeof DatasetImportSummary>
export type RunSource = z.infer<typeof RunSource>
export type ScanKind = z.infer<typeof ScanKind>
