import { z } from 'zod'
import { LostChanges } from '../storage/storage.schemas.ts'
import { named, Timestamp } from '../primitives.ts'

export const Health = named('Health', {
  status: z
    .enum(['ok', 'degraded'])
    .describe(
      '`degraded`: storage has trouble, so that writes are refused with 503 until it recovers, runs wait because executing them failed, or changes were lost.',
    ),
  version: z.string(),
  service_version: z.string(),
  storage: z.strictObject({
    state: z
      .enum(['ok', 'low', 'full', 'read_only', 'failing', 'damaged', 'gone'])
      .describe(
        '`low`: so little is free that runs wait. `full`, `read_only` and `failing`: the last write was not taken. `damaged`: pages of the database cannot be read. `gone`: its file is not where it was opened.',
      ),
    free_bytes: z.int().nonnegative().nullable().describe('Free bytes on the disk of the data folder; null if unknown.'),
    since: Timestamp.nullable(),
    message: z.string().nullable().describe('What is wrong and how to fix it.'),
  }),
  lost_changes: LostChanges.nullable().describe(
    'Commits that the database lacks, since its log was lost or damaged while Assay was not running; null if nothing was lost, or once it was dismissed.',
  ),
  runs: z.strictObject({
    paused: z
      .int()
      .nonnegative()
      .describe(
        'Runs paused after an execution failure, which must be resumed by a person; see each run’s `pause`. 0 while storage is unavailable.',
      ),
  }),
})
export type Health = z.infer<typeof Health>

export const Identity = named('Identity', {
  proof: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
    .describe('HMAC-SHA256 in hex; see the operation for how to compute the same.'),
})
