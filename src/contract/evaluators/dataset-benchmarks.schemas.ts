import { z } from 'zod'
import { ExampleOrigin } from '../datasets/examples.schemas.ts'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'

/** How frozen examples become questions and are graded. */
export const datasetQuestions = {
  evaluator_version_id: Uuid.describe(
    'Version of the evaluator that gives the main metric: what says whether an answer passes. Pairwise judges are refused.',
  ),
  prompt_template: z
    .string()
    .min(1)
    .max(20_000)
    .default('{input}')
    .describe('User message; `{input}` is the whole input, and any other `{name}` a field of it.'),
}

export const NewDatasetBenchmark = named('NewDatasetBenchmark', {
  name: Name.describe('Title of the benchmark; its slug is made from it. The same name gives further versions of the same benchmark.'),
  ...datasetQuestions,
  system_prompt: z.string().min(1).max(20_000).nullable().default(null),
  max_output_tokens: z.int().min(1).max(1_000_000).default(2048),
})

/** A benchmark version that was made of a dataset version. */
export const DatasetBenchmark = named('DatasetBenchmark', {
  slug: z.string(),
  title: z.string(),
  source_ref: z.string(),
  profile_id: z.string(),
  dataset_version_id: Uuid,
  evaluator_version_id: Uuid,
  created_at: Timestamp,
})

/** The example that a task was made of. */
export const TaskExample = named('TaskExample', {
  dataset_id: Uuid,
  dataset_version_id: Uuid,
  example_id: Uuid,
  revision: z.int().min(1),
  origin: ExampleOrigin,
})

export type NewDatasetBenchmark = z.infer<typeof NewDatasetBenchmark>
export type DatasetBenchmark = z.infer<typeof DatasetBenchmark>
export type TaskExample = z.infer<typeof TaskExample>
