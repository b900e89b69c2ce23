import { z } from 'zod'
import { named } from '../primitives.ts'

/** Task metadata that is safe to publish: never a target, a hidden test or the whole prompt. */
export const TaskMetadata = named('TaskMetadata', {
  task_id: z.string().describe('Unique within its source.'),
  source_ref: z.string(),
  split: z.enum(['test', 'canonical']),
  position: z.int().min(0).describe('Position in the source, from 0.'),
  preview: z
    .string()
    .describe('The first words of the task: at most 120 characters and at most half of it; all of a task of at most 40 characters.'),
  input_characters: z.int().min(0),
  choices: z.int().min(0).nullable().describe('Number of answer choices, null for open answers.'),
  capabilities: z.array(z.string()),
  depends_on: z.array(z.string()).describe('Task ids that must be selected with it.'),
})

export const TaskPage = named('TaskPage', {
  items: z.array(TaskMetadata),
  source_ref: z.string().describe('Resolved source ref; store this one with reports.'),
  total: z.int().min(0).describe('Matching tasks over all pages.'),
  limit: z.int(),
  offset: z.int(),
  next_offset: z.int().nullable(),
})
export type TaskMetadata = z.infer<typeof TaskMetadata>
