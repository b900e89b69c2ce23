import { z } from 'zod'
import { By } from '../datasets/examples.schemas.ts'
import { Name, named, Sha256, Timestamp, Uuid } from '../primitives.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { ReleaseKey } from './suites.schemas.ts'

export const EvidenceFormat = z
  .enum(['inspect', 'lm_eval', 'promptfoo', 'junit', 'sarif', 'csv', 'manual'])
  .describe(
    'Inspect logs (.eval or JSON), results or samples of lm-evaluation-harness, promptfoo exports of version 3, JUnit XML, SARIF 2.1.0, a table, or a statement (`manual`).',
  )

const shortText = z.string().trim().min(1).max(200)

export const EvidenceSource = z
  .strictObject({
    tool: shortText.meta({ example: 'inspect_ai' }),
    version: shortText.optional(),
    url: z
      .string()
      .max(2000)
      .regex(/^https?:\/\/\S+$/, 'must be an http or https address')
      .optional(),
    commit: shortText.optional(),
  })
  .describe('Source of the evidence.')
  .meta({ id: 'EvidenceSource' })

const finite = z.number().min(-1e12).max(1e12)

export const EvidenceStatement = named('EvidenceStatement', {
  text: z.string().trim().min(1).max(5000),
  figures: z
    .array(
      z.strictObject({
        metric: shortText,
        value: finite,
        n: z.int().min(1).max(1_000_000_000).optional().describe('Number of tasks.'),
        standard_error: finite.min(0).optional(),
      }),
    )
    .max(200)
    .default([]),
})

const described = { name: Name, format: EvidenceFormat, source: EvidenceSource, produced_at: Timestamp.optional() }

export const NewEvidence = z
  .strictObject({
    ...described,
    content: z.string().min(1).optional().describe('The file as text.'),
    content_base64: z.base64().min(4).optional().describe('The file’s bytes, for formats that are not text.'),
    statement: EvidenceStatement.optional().describe('For `manual`.'),
  })
  .refine(body => [body.content, body.content_base64, body.statement].filter(part => part !== undefined).length === 1, {
    message: 'must have exactly one of content, content_base64 and statement',
  })
  .refine(body => (body.format === 'manual') === (body.statement !== undefined), {
    message: 'has a statement if, and only if, its format is manual',
    path: ['statement'],
  })
  .meta({ id: 'NewEvidence' })

/** Text fields of the multipart form, whose one `file` part is the content. */
export const EvidenceForm = named('EvidenceForm', {
  ...described,
  format: EvidenceFormat.exclude(['manual']),
  source: EvidenceSource.describe('As JSON text.'),
})

export const EvidenceMapping = named('EvidenceMapping', {
  task_field: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Field with the task’s id, which is then believed: a column, a variable of promptfoo, a field of a document or of a sample’s metadata.',
    ),
  value_field: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Column, metric or scorer that gives the value; the first one of the file when absent.'),
  pass_at: finite.optional().describe('Values at or above this pass; scores are then 1 or 0.'),
  label: z.string().min(1).max(300).optional().describe('Include only this label, e.g. a promptfoo provider or a model in a table.'),
})

export const NewEvidenceAnalysis = named('NewEvidenceAnalysis', {
  suite_version_id: Uuid.nullable().default(null).describe('`id` of a release suite version to match tasks against.'),
  side: z.enum(['candidate', 'baseline']).nullable().default(null),
  mapping: EvidenceMapping.default({}),
})

export const EvidenceTask = named('EvidenceTask', {
  task_id: z.string(),
  source_ref: z.string().nullable().describe('Null without a suite.'),
  group: ReleaseKey.nullable(),
  label: z.string().nullable(),
  value: z.number().nullable().describe('Mean of the task’s scored answers; null: unscored, which never counts as wrong.'),
  class: z.enum(['pass', 'fail', 'partial', 'unscored']),
})

const count = z.int().min(0)

export const EvidenceAnalysis = named('EvidenceAnalysis', {
  evidence_id: Uuid,
  n: z.int().min(1).describe('Number of the analysis of this evidence; used by decisions.'),
  suite_version_id: Uuid.nullable(),
  side: z.enum(['candidate', 'baseline']).nullable(),
  mapping: EvidenceMapping,
  rows: count.describe('Answers in the file, after `mapping.label`.'),
  mapped: count.describe('Rows whose task is known.'),
  unmapped_count: count,
  unmapped: z
    .array(z.strictObject({ task_id: z.string(), line: z.int().min(1).nullable(), reason: z.string() }))
    .describe('The first 100.'),
  pairs: z
    .array(
      z.strictObject({
        task_id: z.string(),
        by: z.enum(['text', 'id']).describe('What matched: the question, or an id that is more than a position.'),
        file_text: z.string().nullable().describe('Question in the file, its first 400 characters; null if it shows none.'),
        task_text: z.string().describe('Question of the suite’s task, its first 400 characters.'),
      }),
    )
    .default([])
    .describe('The first three tasks that were matched to the suite; empty without one and in analyses before version 1.1.'),
  labels: z
    .array(z.string().nullable())
    .default([])
    .describe('Models or providers that the rows are about; null where the file names none. The first 100.'),
  metrics: z
    .array(
      z.strictObject({
        name: z.string(),
        group: z.string().nullable(),
        label: z.string().nullable(),
        estimate: z.strictObject({ ...Estimate.shape, n: count.nullable().describe('Null if the file does not state it.') }),
      }),
    )
    .describe('Over the tasks with a value; for a file without tasks, as stated in it.'),
  tasks: count,
  per_task: z.array(EvidenceTask).describe('The first 100; `…/analyses/{n}/tasks` lists them all.'),
  cautions: z.array(z.string()),
  blocked: z.string().nullable().describe('Why this evidence cannot satisfy coverage, e.g. a cancelled log; null if it can.'),
  digest: z.string().describe('SHA-256 over the figures and every task’s value.'),
  by: By,
  created_at: Timestamp,
})

export const EvidencePreview = EvidenceAnalysis.omit({ evidence_id: true, n: true, by: true, created_at: true }).meta({
  id: 'EvidencePreview',
})

const evidenceFields = {
  id: Uuid,
  name: z.string(),
  format: EvidenceFormat,
  sha256: Sha256.describe('Digest of the stored bytes.'),
  bytes: z.int().min(1),
  status: z.enum(['received', 'analyzed']),
  source: EvidenceSource,
  produced_at: Timestamp.nullable(),
  statement: EvidenceStatement.nullable(),
  analyses: count.describe('Count of analyses; also the number of the latest.'),
  by: By,
  created_at: Timestamp,
}

export const Evidence = named('Evidence', evidenceFields)

export type Evidence = z.infer<typeof Evidence>
export type EvidenceAnalysis = z.infer<typeof EvidenceAnalysis>
export type EvidencePreview = z.infer<typeof EvidencePreview>
export type EvidenceForm = z.infer<typeof EvidenceForm>
export type EvidenceFormat = z.infer<typeof EvidenceFormat>
export type EvidenceMapping = z.infer<typeof EvidenceMapping>
export type EvidenceTask = z.infer<typeof EvidenceTask>
export type NewEvidence = z.infer<typeof NewEvidence>
export type NewEvidenceAnalysis = z.infer<typeof NewEvidenceAnalysis>
