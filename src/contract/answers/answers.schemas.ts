import { z } from 'zod'
import { FetchMedia, remoteMedia } from '../catalog/remote-media.schemas.ts'
import { importMachine } from '../catalog/import.machine.ts'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'

export const AnswerFormat = z
  .enum([
    'jsonl',
    'json',
    'csv',
    'parquet',
    'inspect_log',
    'lm_eval_samples',
    'promptfoo_results',
    'livecodebench_results',
    'tool_results',
    'evalplus_samples',
  ])
  .describe(
    'Tables of outputs need a `profile_id`. Logs of Inspect (`.eval`, `.json`), lm-evaluation-harness (`samples_*.jsonl` with its `results_*.json`) and promptfoo, and published results of LiveCodeBench (`*_eval_all.json`), bring their own tasks and become benchmark versions as well; those of Inspect and lm-evaluation-harness also as a zip or tar archive of a whole output folder, for any number of tasks and models. EvalPlus samples need a `profile_id`, too. `tool_results`: results of HELM (`scenario_state.json` with `per_instance_stats.json`), lighteval (`details_*.parquet`), deepeval, AlpacaEval, EvalPlus (`*_eval_results.json`) and OpenAI evals (the log of a run), whose scores are taken as they were recorded; of `results_*.json` of lm-evaluation-harness and lighteval without samples, the `figures` alone.',
  )
export type AnswerFormat = z.infer<typeof AnswerFormat>

const Column = z.string().min(1).max(200)

/** Column mapping for a table of outputs. Absent columns are detected by their usual names. */
export const AnswerMapping = z
  .strictObject({
    task_id: Column.optional().describe('Column with the id of the task.'),
    question: Column.optional().describe('Column with the question, for tables without task ids; must equal the task’s input.'),
    group: Column.optional().describe('With `index`: column with the group that the index is relative to, e.g. the subtask.'),
    index: Column.optional().describe('Column with the position of the task in the benchmark, or in its group.'),
    index_base: z
      .union([z.literal(0), z.literal(1)])
      .optional()
      .describe('Number of the first position; detected from all rows when absent.'),
    numeric_ids: z
      .boolean()
      .optional()
      .describe('Ids that are whole numbers match as numbers: `1.0` and `01` are the task `1`. Only exact ids match when absent.'),
    output: Column.optional().describe('Column with the output: a string, or a list of strings, one per epoch.'),
    model: Column.optional().describe('Column with the model; each model becomes a separate run.'),
    epoch: Column.optional().describe('Column with the epoch, from 1. Without it, rows of the same task are its epochs, in order.'),
    score: Column.optional().describe(
      'Column with a score of the output: a number, or a list of numbers, one per epoch. It becomes the metric `recorded_score` of the run, beside those graded here.',
    ),
    scores: z
      .array(
        z
          .strictObject({
            column: Column,
            lowest: z.number().optional().describe('Worst possible value; 0 when absent.'),
            highest: z.number().optional().describe('Best possible value; 1 when absent.'),
            binary: z.boolean().optional().describe('Every value says right (`highest`) or wrong (`lowest`).'),
            words: z
              .record(z.string().min(1).max(80), z.number())
              .refine(words => Object.keys(words).length <= 30, 'must have at most 30 words')
              .optional()
              .describe('Verdicts in words and the value of each, e.g. `{"refused": 0, "answered": 1}`. Results count the words by group.'),
          })
          .refine(({ lowest = 0, highest = 1 }) => lowest < highest, { path: ['highest'], message: 'must be above lowest' }),
      )
      .max(20)
      .optional()
      .describe(
        'Further columns with scores of the output. Each becomes a metric `recorded_<column>` of the run. Columns that a recorded score of the profile is named after are taken as well.',
      ),
    lowest_score: z.number().optional().describe('Worst possible value of `score`; 0 when absent.'),
    highest_score: z.number().optional().describe('Best possible value of `score`; 1 when absent.'),
    binary_score: z.boolean().optional().describe('Every score says right (`highest_score`) or wrong (`lowest_score`).'),
    error: Column.optional().describe('Column with the reason for a missing output.'),
    reasoning: Column.optional().describe('What the model thought, where it is apart from the output.'),
    finish_reason: Column.optional(),
    input_tokens: Column.optional(),
    output_tokens: Column.optional(),
    latency_ms: Column.optional(),
  })
  .refine(({ lowest_score: lowest = 0, highest_score: highest = 1 }) => lowest < highest, {
    path: ['highest_score'],
    message: 'must be above lowest_score',
  })
  .meta({ id: 'AnswerMapping' })
export type AnswerMapping = z.infer<typeof AnswerMapping>

/** The text fields of the form; the files are its `file` parts. */
export const AnswerImportForm = named('AnswerImportForm', {
  profile_id: z.string().min(3).max(300).optional().describe('The benchmark profile that was answered; for tables of outputs.'),
  format: AnswerFormat.optional().describe('Detected from the files when absent.'),
  mapping: AnswerMapping.optional().describe('As JSON text; for tables of outputs.'),
  model: z.string().min(1).max(200).optional().describe('Name of the model, where the files do not state it.'),
  name: Name.optional().describe(
    'Name of the run; for logs, also of the benchmark. Before the names of the tasks where there are several.',
  ),
  fetch_media: FetchMedia.optional().describe(
    'As JSON text; for logs. Samples may name media files by their http(s) address: those at these hosts are downloaded, at most as many as stated for each, as `remote_media` lists them (`{"images.example": 120}`). Samples that name others are left out. A file may have changed at its address since the model saw it. Redirects to another host are not followed. A dry run downloads nothing.',
  ),
  dry_run: z.boolean().default(false).describe('Validates and previews without importing.'),
})
export type AnswerImportForm = z.infer<typeof AnswerImportForm>

export const ScoreDisagreement = named('ScoreDisagreement', {
  task_id: z.string(),
  epoch: z.int().min(1),
  run_id: Uuid,
  sample_id: Uuid,
  log_metric: z.string(),
  log_value: z.number(),
  metric: z.string(),
  value: z.number().nullable().describe('Value computed by Assay; null where there is no verdict.'),
  explanation: z.string().describe('How Assay computed its value.'),
})

export const LogMetric = named('LogMetric', {
  run_id: Uuid,
  log_metric: z.string().describe('Name of the metric in the log.'),
  metric: z.string().nullable().describe('Equivalent Assay metric; null if there is none.'),
  reason: z.string().nullable().describe('Why there is no equivalent metric.'),
  n: z.int().min(0).describe('Samples with a value in the log.'),
  log_mean: z.number().nullable(),
  mean: z.number().nullable().describe('Mean computed by Assay over the same samples.'),
  disagreements: z.int().min(0),
  log_release: z
    .string()
    .nullish()
    .describe('Release of the tool that wrote the log, where it says so; absent in imports before it was read.'),
  release: z.string().nullish().describe('Release of that tool whose rule the Assay metric follows; null for rules of our own.'),
})
export type LogMetric = z.infer<typeof LogMetric>

/** Of one import. */
export const mostFigures = 5_000

export const RecordedFigure = named('RecordedFigure', {
  model: z.string(),
  task: z.string().describe('Task or group, as the results name it.'),
  metric: z.string().describe('With its filter, where it has one.'),
  value: z.number().describe('As it was recorded; nothing here was graded or can be compared by task.'),
  standard_error: z.number().nullable(),
  n: z.int().min(0).nullable().describe('Samples behind the figure; null where the results do not say.'),
})
export type RecordedFigure = z.infer<typeof RecordedFigure>

export const AnswerImport = named('AnswerImport', {
  id: Uuid,
  status: z.enum(importMachine.states).describe('`imported` once the outputs are graded; `previewed` ends a dry run.'),
  job_id: Uuid,
  dry_run: z.boolean(),
  format: AnswerFormat.nullable().describe('Null until the files have been inspected.'),
  profile_id: z.string().nullable().describe('Profile that was answered; for logs, the first of those created from them.'),
  files: z.array(z.strictObject({ name: z.string(), bytes: z.int().min(0), sha256: Sha256 })),
  rows: z.strictObject({
    read: z.int().min(0),
    matched: z.int().min(0).describe('Rows matched to a task.'),
    unmatched: z.int().min(0).describe('Rows whose task is not in the benchmark; they are skipped.'),
    invalid: z.int().min(0),
  }),
  tasks: z.strictObject({
    total: z.int().min(0).describe('Tasks in the profile’s split.'),
    answered: z.int().min(0),
    missing: z.int().min(0).describe('Tasks without any output; they are not in the run.'),
  }),
  columns: z.array(z.string()),
  mapping: AnswerMapping.nullable().describe('Columns as detected or given; null for logs.'),
  preview: z.array(
    z.strictObject({
      line: z.int().min(1).nullable(),
      task_id: z.string(),
      epoch: z.int().min(1),
      model: z.string(),
      input: z.string(),
      output: z.string().nullable(),
    }),
  ),
  unmatched: z.array(z.strictObject({ line: z.int().min(1), key: z.string() })).describe('At most the first 100.'),
  missing_tasks: z.array(z.string()).describe('Ids of at most the first 100.'),
  errors: z.array(z.strictObject({ file: z.string(), line: z.int().min(1).nullable(), message: z.string() })),
  error_count: z.int().min(0),
  ...remoteMedia,
  warnings: z.array(z.string()),
  models: z.array(z.strictObject({ model: z.string(), outputs: z.int().min(0) })),
  runs: z
    .array(
      z.strictObject({
        run_id: Uuid,
        model: z.string(),
        profile_id: z.string().nullable().describe('Profile that was answered; null in imports before there were several.'),
      }),
    )
    .describe('One per model and profile; for logs, one per log.'),
  benchmarks: z
    .array(
      z.strictObject({
        slug: z.string(),
        title: z.string(),
        tasks: z.int().min(0),
        source_ref: z.string().nullable().describe('Version with these tasks; null in a preview of a new one.'),
        already_present: z.boolean(),
      }),
    )
    .describe('Benchmark versions created from logs; empty for outputs of an existing benchmark.'),
  log_metrics: z.array(LogMetric).describe('Scores in the log compared with those computed by Assay.'),
  figures: z
    .array(RecordedFigure)
    .max(mostFigures)
    .optional()
    .describe(
      'Figures of results without samples (`results_*.json` of lm-evaluation-harness or lighteval alone), of which no run is made; lists of imports leave them out.',
    ),
  disagreements: z.array(ScoreDisagreement).describe('At most the first 200; `log_metrics` counts all of them.'),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type AnswerImport = z.infer<typeof AnswerImport>
