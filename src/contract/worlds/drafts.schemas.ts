import { z } from 'zod'
import { Name, Timestamp, Uuid } from '../primitives.ts'
import { DraftedWorld } from './play.schemas.ts'
import { worldLimits } from './worlds.schemas.ts'

export const NewWorldDraft = z
  .strictObject({
    trace_ids: z
      .array(Uuid)
      .min(1)
      .max(worldLimits.tasks)
      .describe('Each becomes a task; tools are merged, and results that differ belong to their task.'),
    title: Name.optional(),
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
