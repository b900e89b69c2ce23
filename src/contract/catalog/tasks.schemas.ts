import { z } from 'zod'

/** What may be said of a task without giving it away: never a target, a hidden test or the whole prompt. */
export const TaskMetadata = z
  .strictObject({
    task_id: z.string().describe('Unique in its source.'),
    source_ref: z.string(),
    split: z.enum(['test', 'canonical']),
    position: z.int().min(0).describe('Place in the source, from 0.'),
    preview: z.string().describe('The first words of the task: at most 120 characters and at most half of it.'),
    input_characters: z.int().min(0),
    choices: z.int().min(0).nullable().describe('Number of answer choices, null for open answers.'),
    capabilities: z.array(z.string()),
    depends_on: z.array(z.string()).describe('Task ids that must be selected with it.'),
  })
  .meta({ id: 'TaskMetadata' })

export const TaskPage = z
  .strictObject({
    items: z.array(TaskMetadata),
    source_ref: z.string().describe('The resolved identity; save this one with reports.'),
    total: z.int().min(0).describe('Tasks that match, over all pages.'),
    limit: z.int(),
    offset: z.int(),
    next_offset: z.int().nullable(),
  })
  .meta({ id: 'TaskPage' })
export type TaskMetadata = z.infer<typeof TaskMetadata>
