import { z } from 'zod'
import { Name, Timestamp, Uuid } from '../primitives.ts'
import { DraftedWorld } from './play.schemas.ts'
import { JudgeModel } from '../evaluators/evaluator-definition.schemas.ts'
import { UserModel, worldLimits } from './worlds.schemas.ts'

/** Bytes of the files of one draft, and their characters in Base64. */
const mostFileBytes = 16 * 1024 * 1024
const mostFileText = Math.ceil((mostFileBytes * 4) / 3) + 4

export const NewWorldDraft = z
  .strictObject({
    trace_ids: z
      .array(Uuid)
      .min(1)
      .max(worldLimits.tasks)
      .exactOptional()
      .describe('Each becomes a task; tools are merged, and results that differ belong to their task.'),
    files: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(255),
          content: z.base64().max(mostFileText).describe('Its bytes in Base64.'),
        }),
      )
      .min(1)
      .max(50)
      .exactOptional()
      .describe(
        'In place of traces: BFCL’s folder `data` as a zip archive, whose tasks of several turns become worlds, or a promptfoo configuration in YAML with the files that it names.',
      ),
    user_model: UserModel.exactOptional().describe('Plays the users and tools of a promptfoo configuration that a model plays.'),
    judge: JudgeModel.exactOptional().describe('Decides the judged assertions of a promptfoo configuration.'),
    title: Name.optional(),
  })
  .refine(({ trace_ids: ids, files }) => (ids === undefined) !== (files === undefined), {
    path: ['trace_ids'],
    error: 'must be given exactly when files are not',
  })
  .refine(({ files = [] }) => files.reduce((sum, { content }) => sum + content.length, 0) <= mostFileText, {
    path: ['files'],
    error: `hold more than ${mostFileBytes / 1024 / 1024} MiB together`,
  })
  .meta({ id: 'NewWorldDraft' })
export type NewWorldDraft = z.infer<typeof NewWorldDraft>

export const WorldDraft = z
  .strictObject({
    id: Uuid,
    job_id: Uuid.describe('Shows the progress, and why there is no result where it failed.'),
    title: z.string(),
    created_at: Timestamp,
    worlds: z.array(DraftedWorld).nullable().describe('Null until the job has succeeded. Nothing is stored as an environment: create it.'),
  })
  .meta({ id: 'WorldDraft' })
export type WorldDraft = z.infer<typeof WorldDraft>
