import { z } from 'zod'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { Estimate } from '../runs/results.schemas.ts'

export const DatasetTask = z
  .enum(['answer', 'classify', 'pairwise', 'score'])
  .describe('Annotation task: whether an answer passes, which label fits, which of two outputs is better, or a score.')

/** The labels of tasks that have fixed ones. */
export const fixedLabels = { answer: ['pass', 'fail'], pairwise: ['a', 'b', 'tie'] } as const

const DatasetLabel = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters')

export const ScoreRange = z
  .tuple([z.number(), z.number()])
  .refine(([low, high]) => low < high, 'must be [lowest, highest]')
  .describe('Lowest and highest score.')
  .meta({ example: [1, 5] })

export const NewDataset = z
  .strictObject({
    name: Name,
    description: z.string().max(5000).default(''),
    task: DatasetTask,
    labels: z
      .array(DatasetLabel)
      .min(2)
      .max(100)
      .refine(labels => new Set(labels).size === labels.length, 'must not repeat a label')
      .optional()
      .describe('For `classify`, which requires it; `answer` has pass and fail, `pairwise` has a, b and tie.'),
    score_range: ScoreRange.optional().describe('For `score`, which requires it.'),
  })
  .superRefine((dataset, context) => {
    const rule = (path: 'labels' | 'score_range', task: 'classify' | 'score') => {
      if (dataset.task === task && dataset[path] === undefined)
        context.addIssue({ code: 'custom', path: [path], message: `is required for a dataset of task "${task}"` })
      if (dataset.task !== task && dataset[path] !== undefined)
        context.addIssue({ code: 'custom', path: [path], message: `is for datasets of task "${task}"; this one is "${dataset.task}"` })
    }
    rule('labels', 'classify')
    rule('score_range', 'score')
  })
  .meta({ id: 'NewDataset' })

export const DatasetPatch = named('DatasetPatch', {
  name: Name.optional(),
  description: z.string().max(5000).optional(),
  archived: z.boolean().optional(),
})

export const Agreement = named('Agreement', {
  alpha: Estimate.describe('Krippendorff’s alpha over examples with two labels or more: nominal for labels, interval for scores.'),
  pairs: z
    .array(z.strictObject({ a: z.string(), b: z.string(), kappa: Estimate }))
    .describe('Cohen’s kappa of each pair of annotators over the examples that both labeled; at most the 10 most active annotators.'),
})

const count = z.int().min(0)

export const Dataset = named('Dataset', {
  id: Uuid,
  name: Name,
  description: z.string(),
  task: DatasetTask,
  labels: z.array(z.string()).nullable().describe('The allowed labels; null for `score`.'),
  score_range: ScoreRange.nullable(),
  archived: z.boolean(),
  counts: z.strictObject({ total: count, draft: count, in_review: count, approved: count, rejected: count }),
  label_coverage: z.strictObject({
    labeled: count.describe('Examples with a consensus.'),
    tied: count.describe('Examples whose annotators tie.'),
    unlabeled: count,
    values: z
      .array(z.strictObject({ value: z.string(), examples: count }))
      .describe('Counts by consensus label, in the order of the labels; empty for scores.'),
  }),
  origins: z.array(z.strictObject({ kind: z.string(), examples: count })),
  agreement: Agreement.nullable().describe('Between annotators; null where no example has two labels.'),
  latest_version: z.strictObject({ id: Uuid, version: z.int(), example_count: count, created_at: Timestamp }).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Agreement = z.infer<typeof Agreement>
export type Dataset = z.infer<typeof Dataset>
export type DatasetPatch = z.infer<typeof DatasetPatch>
export type DatasetTask = z.infer<typeof DatasetTask>
export type NewDataset = z.infer<typeof NewDataset>
