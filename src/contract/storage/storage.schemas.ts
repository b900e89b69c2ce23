import { z } from 'zod'
import { named, Timestamp, Uuid } from '../primitives.ts'

/** Commits that the database lacks: its log was lost or damaged while Assay was not running. */
export const LostChanges = named('LostChanges', {
  found_at: Timestamp.describe('The start that found it.'),
  commits: z.int().min(1).describe('Transactions that are missing.'),
  from: Timestamp.describe('The last commit that the database has.'),
  until: Timestamp.describe('The last one that was made.'),
  calls: z.int().min(0).describe('Model calls that were sent and that the database does not know; at least so many.'),
  message: z.string().describe('What is missing and what to do.'),
})
export type LostChanges = z.infer<typeof LostChanges>

/** Disk usage of the data folder, in bytes. */
export const StorageUse = named('StorageUse', {
  database_bytes: z.int().min(0).describe('The database with its write-ahead log.'),
  reusable_bytes: z.int().min(0).describe('Unused bytes in the database; compaction returns them to the disk.'),
  exports_bytes: z.int().min(0).describe('Generated reports; they are regenerated on demand.'),
  disk_free_bytes: z.int().min(0).describe('Free bytes on the disk of the data folder.'),
  runs: z.int().min(0),
  samples: z.int().min(0),
  cache: z
    .strictObject({
      answers: z.int().min(0).describe('Answers that later runs with the cache may take, of all workspaces.'),
      oldest_at: Timestamp.nullable().describe('When the oldest run among those that gave them was created; null where there are none.'),
    })
    .describe('Answers of ended calls that runs with `execution.cache` reuse. They belong to their runs and take no space of their own.'),
  rows_to_delete: z.int().min(0).describe('Rows of deleted runs still to be removed.'),
  examination: z
    .strictObject({ at: Timestamp, faults: z.array(z.string()).describe('At most ten; empty if no faults were found.') })
    .nullable()
    .describe('The latest check of every page, index and reference. Runs weekly.'),
  examining: z.boolean(),
  examination_job_id: Uuid.nullable().describe('Latest job that checks the database.'),
  folder_warning: z.string().nullable().describe('Why the location of the data folder is unsafe for a database; null if it is safe.'),
  lost_changes: LostChanges.nullable().describe('Null if nothing was lost, or once it was dismissed.'),
  compaction: z
    .strictObject({ job_id: Uuid, started_at: Timestamp, finished_at: Timestamp.nullable(), returned_bytes: z.int().min(0) })
    .nullable()
    .describe('The latest.'),
})

export type StorageUse = z.infer<typeof StorageUse>
