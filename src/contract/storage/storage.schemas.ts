import { z } from 'zod'
import { Timestamp, Uuid } from '../primitives.ts'

/** What the data folder holds, in bytes. */
export const StorageUse = z
  .strictObject({
    database_bytes: z.int().min(0).describe('The database with its write-ahead log.'),
    reusable_bytes: z.int().min(0).describe('Of these, free for what comes next; compaction gives them back to the disk.'),
    exports_bytes: z.int().min(0).describe('Generated reports; they are regenerated on demand.'),
    disk_free_bytes: z.int().min(0).describe('Free bytes on the disk of the data folder.'),
    runs: z.int().min(0),
    samples: z.int().min(0),
    rows_to_delete: z.int().min(0).describe('Samples of deleted runs that are still being taken away.'),
    examination: z
      .strictObject({ at: Timestamp, faults: z.array(z.string()).describe('At most ten; none when all is sound.') })
      .nullable()
      .describe('The latest: every page, every index and every reference. Made once a week by itself.'),
    examining: z.boolean(),
    examination_job_id: Uuid.nullable().describe('The latest job that examines the database.'),
    folder_warning: z.string().nullable().describe('Why a database is not safe where the data folder lies.'),
    compaction: z
      .strictObject({ job_id: Uuid, started_at: Timestamp, finished_at: Timestamp.nullable(), returned_bytes: z.int().min(0) })
      .nullable()
      .describe('The latest.'),
  })
  .meta({ id: 'StorageUse' })

export type StorageUse = z.infer<typeof StorageUse>
