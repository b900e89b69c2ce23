import { z } from 'zod'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { DraftedWorld } from './play.schemas.ts'
import { JudgeModel } from '../evaluators/evaluator-definition.schemas.ts'
import { UserModel, worldLimits } from './worlds.schemas.ts'

/** Of one draft: a source and a cassette for each tool of a world, and the files beside. */
export const draftFileLimits = { files: 200, bytes: 16 * 1024 * 1024 } as const
/** Bytes of a drafted world as JSON, which is what a request that creates it may hold, and of all worlds of a draft. */
export const draftedLimits = { world: 8 * 1024 * 1024, together: 32 * 1024 * 1024 } as const

/** @returns why a world of so many bytes is left out of a draft that has so many already; null where it is not */
export function oversizeFault(bytes: number, before: number): string | null {
  const { world, together } = draftedLimits
  if (bytes > world) return `would have more than the ${world / 1024 / 1024} MB that an environment can have. Import fewer tasks at a time.`
  return before + bytes > together
    ? `was left out: the environments before it have ${together / 1024 / 1024} MB already. Import it by itself.`
    : null
}
/** Characters of the files in Base64; each ends with padding of its own. */
const mostFileText = Math.ceil((draftFileLimits.bytes * 4) / 3) + 4 * draftFileLimits.files
/** Zod's own check decodes all of it, which takes as long again as reading the request. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

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
          name: z.string().min(1).max(255).describe('With its path, where it is in a folder.'),
          content: z.string().max(mostFileText).regex(base64, 'must be Base64').describe('Its bytes in Base64.'),
        }),
      )
      .min(1)
      .max(draftFileLimits.files)
      .exactOptional()
      .describe(
        'In place of traces, as they are or in a zip archive: folders with `world.yaml`, `tasks.jsonl` and `tools/*.js`; BFCL’s folder `data`, whose tasks of several turns become worlds; a promptfoo configuration in YAML with the files that it names; or conversations with tool calls as JSON Lines of OpenAI, Anthropic or ShareGPT, an Inspect dataset or log, or promptfoo results.',
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
    error: `hold more than ${draftFileLimits.bytes / 1024 / 1024} MiB together`,
  })
  .meta({ id: 'NewWorldDraft' })
export type NewWorldDraft = z.infer<typeof NewWorldDraft>

export const WorldDraft = named('WorldDraft', {
  id: Uuid,
  job_id: Uuid.describe('Shows the progress, and why there is no result where it failed.'),
  title: z.string(),
  created_at: Timestamp,
  worlds: z.array(DraftedWorld).nullable().describe('Null until the job has succeeded. Nothing is stored as an environment: create it.'),
})
export type WorldDraft = z.infer<typeof WorldDraft>
