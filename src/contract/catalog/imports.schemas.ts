import { z } from 'zod'
import { ResponseFormat } from '../connections/request-settings.schemas.ts'
import { AudioPart, DocumentPart, ImagePart } from '../messages/messages.schemas.ts'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { MaxImagePixels, SourceFiles } from './benchmarks.schemas.ts'
import { formatsAs } from './file-formats.ts'
import { importMachine } from './import.machine.ts'
import { FetchMedia, remoteMedia } from './remote-media.schemas.ts'

export const ImportFormat = z
  .enum(formatsAs('benchmark'))
  .describe(
    'Plain tables with a column mapping; datasets of Inspect, OpenAI evals and promptfoo, whose fields are known; or a promptfoo configuration or lm-evaluation-harness task, sent together with the files it references. A folder of lm-evaluation-harness tasks may be a zip or tar archive, or its files with their paths as file names.',
  )

export const AnswerKeyForm = z
  .enum(['text', 'label', 'letter', 'zero_based', 'one_based', 'flags'])
  .describe(
    'Text of the correct choice; its label in the file; its letter; its position from 0 or from 1; or 1 for the correct choice and 0 for the others.',
  )

const Column = z.string().min(1).max(200)

/** Column mapping for files without a recipe. Absent columns are detected by their usual names; `null` means that the column does not exist. */
export const ColumnMapping = named('ColumnMapping', {
  input: Column.optional().describe('Column with the question.'),
  target: Column.nullable().optional().describe('Column with the reference answer or a list of them.'),
  choices: z
    .union([Column, z.array(Column).min(2).max(26)])
    .nullable()
    .optional()
    .describe('Column with the answer choices (a list), or the columns that hold one choice each, in order.'),
  id: Column.nullable().optional().describe('Column with a unique task id; without it, line numbers are used.'),
  answer_key: AnswerKeyForm.optional().describe(
    'How the target identifies the correct choice. Detected from all rows when absent; required if two forms fit every row and disagree.',
  ),
  groups: z.array(Column).max(5).optional().describe('Columns by which results are broken down and comparisons can be clustered.'),
  cluster: Column.nullable()
    .optional()
    .describe(
      'Column whose equal values mark dependent tasks, such as questions on one text: standard errors and intervals are clustered by it.',
    ),
  date: Column.nullable().optional().describe('Column with the date of each task (`2024-05-31` or `2024-05`), for date windows.'),
  split: z
    .strictObject({
      column: Column,
      tasks: z.array(z.string().max(200)).max(20).optional().describe('Values whose rows become tasks; all others when absent.'),
      examples: z.array(z.string().max(200)).max(20).optional().describe('Values whose rows become few-shot examples.'),
    })
    .nullable()
    .optional()
    .describe('Column that says which part of the data a row belongs to. Rows in neither list are left out.'),
  media: z
    .record(z.string().regex(/^\w{1,64}$/, 'must be letters, digits and underscores'), Column)
    .nullable()
    .optional()
    .describe(
      'Columns with images, audio or documents, by the name that a mark or the prompt template may use: paths inside the folder or archive, data URIs, base64, `{bytes, path}` of Parquet, digests of `POST /v1/media`, or lists of those. Marks in the question (`{name}`, `<image>`, `<image 1>`, `<|image|>`) say where they stand; without a mark they come first. Detected when absent; null imports without them.',
    ),
  turns: Column.nullable()
    .optional()
    .describe(
      'Column with what the user says next: a text or a list. Each is asked after the model’s answer to the one before; the last answer is graded.',
    ),
  turn_targets: Column.nullable()
    .optional()
    .describe(
      'Column with the reference answers of each turn, the question first: a list with an entry for every answer, each a text, a list of accepted texts, or null for a turn that is not graded. Every answer is then graded and the score is their mean; without it the last answer is graded by `target`.',
    ),
  depends_on: Column.nullable().optional().describe('Column with the ids of the tasks (a list) that must be selected with this one.'),
})

const Template = z.string().min(1).max(20_000)

/** How the tasks of a plain table are asked and graded. Absent parts keep their defaults. */
export const ImportProfile = named('ImportProfile', {
  prompt_template: Template.optional().describe(
    'The user message. `{input}` and `{choices}` are replaced by the question and the lettered choices, and a column’s name in braces by its value.',
  ),
  system_prompt: Template.optional(),
  shots: z
    .int()
    .min(0)
    .max(50)
    .optional()
    .describe(
      'Few-shot examples before each task: the first rows of `split.examples`, or without it the first rows of the file, which are then no tasks.',
    ),
  shot_template: Template.optional().describe('One few-shot example; `{target}` is its reference answer.'),
  shots_as: z
    .enum(['text', 'turns'])
    .optional()
    .describe(
      'Few-shot examples as text before the task (`text`, the usual), or as turns: each example’s question and answer are messages of user and assistant, and `shot_template` is the answer.',
    ),
  max_output_tokens: z.int().min(1).max(100_000).optional(),
  max_image_pixels: MaxImagePixels.optional(),
  reasoning: z
    .enum(['separate', 'as_text'])
    .optional()
    .describe(
      'Where reasoning goes that a model writes into its text: apart from the answer (`separate`, the usual), or it stays part of it.',
    ),
  grade: z
    .enum(['output', 'output_and_reasoning'])
    .optional()
    .describe('What graders see: the answer (`output`, the usual), or its reasoning, a blank line and the answer.'),
  response_format: ResponseFormat.optional().describe(
    'Structured output: answers as JSON after a schema. `assay/json_schema` with the same schema grades them beside the other metrics.',
  ),
  metrics: z
    .array(
      z.strictObject({
        scorer: z.string().min(1).max(100),
        options: z.record(z.string(), z.unknown()).default({}),
        title: z.string().min(1).max(100).optional(),
        primary: z.boolean().default(false).describe('The headline metric; the first metric if none is marked.'),
      }),
    )
    .min(1)
    .max(10)
    .optional()
    .describe('Scorers with their options, instead of the usual ones.'),
})
export type ImportProfile = z.infer<typeof ImportProfile>

/** Text fields of the form; the files are its `file` parts, or none with `fetch`. Set either `recipe` or `format`. */
export const ImportForm = named('ImportForm', {
  recipe: z.string().min(1).max(120).optional(),
  format: ImportFormat.optional(),
  name: Name.optional().describe('Title of the new benchmark; for `format` imports.'),
  version: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')
    .optional()
    .describe('Derived from the content’s digest when absent.'),
  mapping: ColumnMapping.optional().describe('As JSON text.'),
  profile: ImportProfile.optional().describe('As JSON text; for plain tables (`jsonl`, `json`, `csv`, `parquet`).'),
  extends: z
    .string()
    .min(3)
    .max(300)
    .optional()
    .describe(
      'Source ref of an earlier version of the recipe’s benchmark, for recipes whose parts are files: parts not among the files are kept, and together they form a new version.',
    ),
  fetch: z
    .boolean()
    .default(false)
    .describe(
      'With `recipe` and instead of `file` parts: the service downloads the files of the recipe that have a `download`, from exactly the addresses that the recipe states. 422 if the recipe’s data cannot be fetched.',
    ),
  task: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'For `lm_eval_yaml`: the group, tag or task to import where the files hold several. For `openai_evals_jsonl`: the eval to import, or the class that grades samples sent without their registry YAML. See `choices`.',
    ),
  leave_out: z
    .boolean()
    .default(false)
    .describe(
      'Imports the rows that can be and lists the others in `left_out`, such as those whose picture is missing; without it a file with such a row is refused. Not for recipes. Of lm-evaluation-harness it leaves out the tasks of a group that only a program can do or whose files were not sent. Assertions that need a judge are left to the evaluators in `evaluators`.',
    ),
  fetch_media: FetchMedia.optional().describe(
    'As JSON text. Rows may name media files by their http(s) address: those at these hosts are downloaded, at most as many as stated for each, as `remote_media` lists them (`{"images.example": 120}`). Without it no address is opened, and an import whose rows name one is refused or, with `leave_out`, leaves those rows out. Redirects to another host are not followed. A failed download is an error of its row. A dry run downloads nothing.',
  ),
  dry_run: z.boolean().default(false).describe('Validates and previews without importing.'),
})

export const ImportRecord = named('ImportRecord', {
  id: Uuid,
  status: z.enum(importMachine.states).describe('`previewed` ends a dry run.'),
  job_id: Uuid.nullable().describe('Background job of the import, which can be cancelled or retried; null for imports that predate jobs.'),
  error_code: z.string().nullable().describe('Why it failed, e.g. `validation_error` or `cancelled`; null otherwise.'),
  dry_run: z.boolean(),
  recipe: z.string().nullable(),
  format: z.string().nullable(),
  fetch: z
    .strictObject({
      url: z.string().describe('URL of the current or last downloaded file.'),
      file_name: z.string(),
      file_number: z.int().min(1).describe('From 1 to `file_count`.'),
      file_count: z.int().min(1),
      received_bytes: z.int().min(0).describe('Bytes of this file received so far.'),
      total_bytes: z.int().min(0).nullable().describe('Size of this file; null if its server does not state it.'),
    })
    .nullable()
    .describe('Download progress; null where nothing is downloaded.'),
  files: SourceFiles,
  rows: z.strictObject({
    read: z.int().min(0),
    valid: z.int().min(0),
    invalid: z.int().min(0),
    examples: z.int().min(0).optional().describe('Valid rows that are few-shot examples instead of tasks; absent if there are none.'),
  }),
  columns: z.array(z.string()).describe('Columns found, for use in the mapping.'),
  column_samples: z
    .array(z.string())
    .default([])
    .describe('Beginning of the first value of each column, in the order of `columns`; empty for a column without one.'),
  mapping: ColumnMapping.nullable().describe('Columns as detected or given; null for files whose fields are known.'),
  preview: z
    .array(
      z.strictObject({
        line: z.int().min(1),
        task_id: z.string(),
        input: z.string(),
        targets: z.array(z.string()),
        choices: z.array(z.string()).nullable(),
        prompt: z
          .string()
          .nullable()
          .default(null)
          .describe('What the model is sent for this task, few-shot examples included; null for imports with several profiles.'),
        media: z
          .array(z.discriminatedUnion('type', [ImagePart, AudioPart, DocumentPart]))
          .default([])
          .describe('What the task shows, in order; kept for a day after a dry run.'),
      }),
    )
    .describe('Preview of the first rows after import.'),
  splits: z
    .array(z.strictObject({ value: z.string(), rows: z.int().min(0) }))
    .default([])
    .describe('Values of the split column with their rows; empty without one.'),
  answer_key: z
    .strictObject({
      form: AnswerKeyForm.nullable().describe('Null if two forms fit every row and disagree: choose one in `mapping`.'),
      chosen_by: z.enum(['file', 'user']),
      readings: z
        .array(
          z.strictObject({
            form: AnswerKeyForm,
            examples: z.array(
              z.strictObject({
                line: z.int().min(1),
                target: z.string(),
                choice: z.int().min(0).describe('Position of the choice from 0.'),
                text: z.string().describe('Text of that choice.'),
              }),
            ),
          }),
        )
        .describe('Interpretation of the keys in each form that fits; the examples are rows on which the forms disagree, if any.'),
    })
    .nullable()
    .describe('How the target identifies the correct choice, decided once for the whole file; null where there are no choices.'),
  errors: z
    .array(
      z.strictObject({
        file: z.string(),
        line: z.int().min(1).nullable(),
        message: z.string(),
        missing_column: z
          .enum(['input', 'target'])
          .optional()
          .describe('Name the column in `mapping`, since none has a usual name: one error for the whole import.'),
      }),
    )
    .describe('Sorted by line number; at most the first 100, `error_count` is the total.'),
  error_count: z.int().min(0),
  left_out: z
    .array(z.strictObject({ file: z.string(), line: z.int().min(1), message: z.string() }))
    .default([])
    .describe('Rows that were not imported, and why; at most the first 100, `left_out_count` is the total.'),
  left_out_count: z.int().min(0).default(0),
  evaluators: z
    .array(
      z.strictObject({
        assertion: z.string().describe('Type of the assertion, e.g. `llm-rubric`.'),
        preset: z
          .string()
          .describe(
            'Judge preset of `GET /v1/workload-evaluators/options` that grades the same; `embedding_similarity` for an evaluator of the kind `embedding`.',
          ),
        tasks: z.int().min(1),
      }),
    )
    .default([])
    .describe(
      'Assertions that need a judge or embeddings: make an evaluator from the preset and choose it for runs. Not part of the imported metrics.',
    ),
  choices: z
    .array(z.strictObject({ name: z.string(), kind: z.enum(['group', 'tag', 'task', 'grader']) }))
    .default([])
    .describe(
      'What a folder of lm-evaluation-harness or a registry of OpenAI evals holds, or what can grade samples of OpenAI evals, where one must be chosen as `task`.',
    ),
  media: z
    .strictObject({ files: z.int().min(0), bytes: z.int().min(0) })
    .nullable()
    .default(null)
    .describe('Different files that the tasks show; null where they show none.'),
  ...remoteMedia,
  warnings: z.array(z.string()),
  slug: z.string().nullable(),
  source_ref: z.string().nullable().describe('The new version, or the existing one if the same content was imported before.'),
  already_present: z.boolean(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type ImportRecord = z.infer<typeof ImportRecord>
export type ImportForm = z.infer<typeof ImportForm>
export type ColumnMapping = z.infer<typeof ColumnMapping>
