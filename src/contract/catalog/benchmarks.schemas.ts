import { z } from 'zod'
import { ResponseFormat } from '../connections/request-settings.schemas.ts'
import { named, Sha256, Timestamp } from '../primitives.ts'

export const Runner = z.enum(['inspect', 'lm-eval', 'evalplus', 'evalplus_mbpp', 'livecodebench', 'spreadsheetbench'])
export type Runner = z.infer<typeof Runner>

export const BenchmarkStatus = z.enum(['candidate', 'active', 'quarantined', 'retired'])
export type BenchmarkStatus = z.infer<typeof BenchmarkStatus>

export const QuoteAvailability = named('QuoteAvailability', {
  status: z
    .enum(['ready_for_quote', 'data_required', 'runner_unavailable', 'checking', 'quarantined', 'retired'])
    .describe(
      '`ready_for_quote` marks a runnable profile. Only a quote decides compatibility and cost. `checking`: for some seconds after a start, in lists only, of benchmarks that run code.',
    ),
  reasons: z.array(z.string()).describe('Why it is not ready and how to fix that; empty when ready.'),
})

/** Provenance of a metric produced by an evaluator. */
export const MetricEvaluator = named('MetricEvaluator', {
  evaluator_version_id: z.uuid(),
  name: z.string(),
  version: z.int(),
  judged: z.boolean().describe('Whether a model judges the output.'),
  statement: z.string().describe('Summary of its calibration, or a note that there is none.'),
  self_preference: z.string().nullable().default(null).describe('Caution where a judge grades a model of its own family; null otherwise.'),
  rates: z
    .strictObject({ sensitivity: z.number(), positives: z.int(), specificity: z.number(), negatives: z.int() })
    .nullable()
    .describe('Performance on labeled examples in the current calibration; null if there is none.'),
})

/** One way of scoring an output. The scorer id and version identify it. */
export const Metric = named('Metric', {
  id: z.string().describe('Unique in its profile, e.g. `exact_match_strict`.'),
  title: z.string(),
  scorer: z.string().describe('Scorer id, e.g. `lm_eval/gsm8k_strict`.'),
  scorer_version: z.int().describe('Raised whenever a score could change.'),
  options: z.record(z.string(), z.unknown()),
  binary: z.boolean().describe('Whether every value is 0 or 1; determines the interval method (Wilson or t).'),
  primary: z.boolean().describe('The headline metric; exactly one per profile.'),
  aggregation: z
    .enum(['median', 'all_of_group', 'bleu', 'chrf', 'ter', 'error_rate', 'f1', 'mcc', 'perplexity'])
    .optional()
    .describe(
      'How a run’s figure is computed where it is not the mean of its tasks: their median, the share of groups (tasks with one `cluster`) that are right throughout, or corpus BLEU, chrF, 1 − TER, 1 − word or character error rate, F1 of label 1, Matthews correlation or 1 ÷ perplexity over all of them together.',
    ),
  evaluator: MetricEvaluator.optional().describe('Only for metrics produced by a workspace evaluator.'),
})

export const MaxImagePixels = z
  .int()
  .min(1)
  .max(50_000_000)
  .describe(
    'Width times height of the largest image that is sent. Larger ones are resized; the quote counts them, and each sample names both files.',
  )

export const Generation = named('Generation', {
  temperature: z.number().min(0).max(2).nullable().describe('Null: the provider’s own default is used and no value is sent.'),
  max_output_tokens: z.int().min(1),
  stop: z.array(z.string()).max(4),
  reasoning: z
    .exactOptional(z.enum(['separate', 'as_text']))
    .describe(
      'Where reasoning goes that a model writes into its text: apart from the answer (absent), or it stays part of it (`as_text`).',
    ),
  grade: z
    .exactOptional(z.enum(['output', 'output_and_reasoning']))
    .describe('What graders see: the answer (absent), or its reasoning, a blank line and the answer.'),
  response_format: z.exactOptional(ResponseFormat).describe('Structured output; comes before that of a connection. Absent: plain text.'),
  max_image_pixels: z.exactOptional(MaxImagePixels),
})

export const Profile = named('Profile', {
  id: z.string().describe('`<slug>@<version>:<profile>`; without `@<version>` while its data is missing.'),
  title: z.string(),
  summary: z.string(),
  slug: z.string(),
  benchmark_title: z.string().describe('Title of the benchmark.'),
  source_ref: z.string().nullable().describe('`eval://<provider>/<name>/<version>`, null while its data is missing.'),
  runner: Runner,
  split: z.enum(['test', 'canonical']),
  task_count: z.int().min(0).nullable(),
  shots: z.int().min(0).describe('Worked examples before each task.'),
  system_prompt: z.string().nullable(),
  prompt_template: z.string().describe('The user message, with `{question}` and the like where the task’s fields go.'),
  prompt_digest: Sha256.describe('Digest of system prompt, template, worked examples and generation settings.'),
  generation: Generation,
  metrics: z.array(Metric).min(1),
  requires: z.array(z.string()).describe('Capabilities that a model must have, e.g. `chat`.'),
  chance_level: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Expected score of blind guessing on the primary metric; null where that is not defined.'),
  quote_availability: QuoteAvailability,
})

export const BenchmarkParts = named('BenchmarkParts', {
  by: z.string().describe('Kind of part, e.g. `subtask` or `subject`; results are broken down by it.'),
  present: z.array(
    z.strictObject({
      name: z.string(),
      tasks: z.int().min(0),
      expected: z.int().min(0).nullable().describe('Tasks in the part upstream; null if unknown.'),
    }),
  ),
  missing: z.array(z.string()).describe('Parts of the benchmark that are not in this version.'),
  complete: z.boolean().describe('Whether every part is present with all its tasks.'),
})
export type BenchmarkParts = z.infer<typeof BenchmarkParts>

/** Files of which a version was made. */
export const SourceFiles = z.array(
  z.strictObject({
    role: z.string(),
    name: z.string(),
    bytes: z.int().min(0),
    sha256: Sha256,
    checksum: z.enum(['matches_upstream', 'differs_from_upstream', 'unknown_upstream']),
  }),
)

export const BenchmarkVersion = named('BenchmarkVersion', {
  version: z.string(),
  source_ref: z.string(),
  digest: Sha256.describe('Digest of all tasks in order. Versions are immutable.'),
  task_counts: z.record(z.string(), z.int().min(0)).describe('Tasks by split.'),
  parts: BenchmarkParts.nullable().describe('Parts of the benchmark; null if it has none.'),
  files: SourceFiles,
  created_at: Timestamp,
})

export const License = z.strictObject({ name: z.string(), url: z.string().nullable() })

const benchmarkFields = {
  slug: z.string(),
  provider: z.string().describe('Who made the benchmark; the first part of its source refs.'),
  name: z.string().describe('The second part of its source refs.'),
  title: z.string(),
  summary: z.string(),
  status: BenchmarkStatus,
  origin: z
    .enum(['bundled', 'recipe', 'imported'])
    .describe('Shipped with Assay, described by a recipe, or imported from a file of the workspace.'),
  runner: Runner,
  capabilities: z.array(z.string()),
  license: License,
  latest_version: BenchmarkVersion.nullable().describe('Null while the data is missing.'),
  quote_availability: QuoteAvailability.describe('Best availability among its profiles.'),
  profile_ids: z.array(z.string()),
}

export const Benchmark = named('Benchmark', benchmarkFields)
export type Benchmark = z.infer<typeof Benchmark>

/** A file required by a recipe. */
export const RecipeFile = z.strictObject({
  role: z.string().describe('e.g. `test` or `train`.'),
  required: z.boolean(),
  file_name: z.string().describe('Upstream file name; uploads are matched by it.'),
  url: z.string().describe('Where upstream publishes it: the file itself if `download` is present, otherwise a page that links to it.'),
  download: z
    .strictObject({
      bytes: z.int().min(0).nullable().describe('Null if unknown.'),
      redirect_hosts: z.array(z.string()).describe('Hosts to which redirects are followed; others are refused.'),
    })
    .nullable()
    .describe('Whether `fetch` of an import can download it. Nothing is downloaded without `fetch`.'),
  sha256: Sha256.nullable().describe('Digest of the upstream file, if known.'),
  purpose: z.string(),
})

export const BenchmarkDetail = named('BenchmarkDetail', {
  ...benchmarkFields,
  description: z.string().describe('What it measures.'),
  how_made: z.string(),
  known_limits: z.array(z.string()),
  citation: z.string().nullable(),
  homepage: z.string().nullable(),
  recipe: z
    .strictObject({
      id: z.string(),
      can_fetch: z.boolean().describe('Whether an import with `fetch` can download everything the recipe requires.'),
      files: z.array(RecipeFile),
    })
    .nullable(),
  versions: z.array(BenchmarkVersion).describe('Newest first.'),
  profiles: z.array(Profile).describe('Profiles of the latest version first.'),
})
export type BenchmarkDetail = z.infer<typeof BenchmarkDetail>
export type Profile = z.infer<typeof Profile>
export type Metric = z.infer<typeof Metric>
export type MetricEvaluator = z.infer<typeof MetricEvaluator>
export type Generation = z.infer<typeof Generation>
export type BenchmarkVersion = z.infer<typeof BenchmarkVersion>
export type QuoteAvailability = z.infer<typeof QuoteAvailability>
