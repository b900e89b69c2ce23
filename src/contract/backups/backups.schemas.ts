import { z } from 'zod'
import { named, Timestamp, Uuid } from '../primitives.ts'

export const backupKinds = ['manual', 'scheduled', 'before_migration', 'before_restore'] as const
export const backupIntervals = ['off', 'hourly', 'daily', 'weekly'] as const

/** A copy of the whole database, in the data folder's `backups`. */
export const Backup = named('Backup', {
  name: z.string().describe('The file’s name; `assay restore --backup <name>` takes it.'),
  kind: z.enum(backupKinds),
  created_at: Timestamp,
  bytes: z.int().nonnegative(),
  checked_at: Timestamp.nullable().describe(
    'When all of its pages were last verified. Backups are verified before they are named; null for a database replaced by a restore until it is checked.',
  ),
  newer: z.boolean().describe('Made by a newer Assay. Update Assay to check or restore it.'),
  fault: z.string().nullable().describe('Fault found by the last check; a backup with a fault cannot be restored.'),
  proof: z
    .enum(['valid', 'missing', 'different'])
    .describe(
      'MAC beside the file, under a key of the data folder, as of its making or last check. `missing`: made by an earlier version, or removed. `different`: the file was changed, renamed or made in another data folder. Only `valid` backups are restored without `without_proof`.',
    ),
})
export type Backup = z.infer<typeof Backup>

export const BackupName = z.strictObject({ backup_name: z.string().min(1).max(200) })

export const RestoreQuery = z.strictObject({
  without_proof: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: restore although nothing proves that the file is as this data folder made it.'),
})

export const BackupSchedule = named('BackupSchedule', {
  every: z.enum(backupIntervals),
  keep: z.int().min(1).max(100).describe('Manual and scheduled backups that are kept; older ones are removed after each new one.'),
})
export type BackupSchedule = z.infer<typeof BackupSchedule>

export const BackupScheduleBody = BackupSchedule.partial()
  .refine(body => body.every !== undefined || body.keep !== undefined, 'give `every`, `keep` or both')
  .meta({ id: 'BackupScheduleBody' })
export type BackupScheduleBody = z.infer<typeof BackupScheduleBody>

export const Backups = named('Backups', {
  items: z.array(Backup).describe('All backups, newest first.'),
  next_cursor: z.null(),
  schedule: BackupSchedule,
  next_at: Timestamp.nullable().describe('When the next scheduled backup is due; null when the schedule is off.'),
  running: z
    .strictObject({
      job_id: Uuid,
      started_at: Timestamp,
      fraction: z.number().min(0).max(1).describe('Fraction of pages copied; 1 while the copy is verified.'),
    })
    .nullable(),
  checking: z.string().nullable().describe('Name of the backup being checked.'),
  checking_job_id: Uuid.nullable(),
  restore: z
    .strictObject({
      job_id: Uuid.nullable().describe('Job of the check; null while the database is replaced, and if it is too damaged to store a job.'),
      backup: z.string(),
      started_at: Timestamp,
      step: z.enum(['checking', 'replacing']).describe('`replacing`: the service stops, changes its database and starts again.'),
    })
    .nullable()
    .describe('The restore in progress.'),
  last_restore: z
    .strictObject({
      at: Timestamp,
      backup: z.string(),
      kept_as: z.string().nullable().describe('Backup or folder with the replaced database.'),
      failure: z.string().nullable().describe('Why the restore failed; null if it succeeded.'),
      access_carried: z
        .boolean()
        .default(true)
        .describe('False: the replaced database could not be read, so sessions, keys and members are those of the backup.'),
    })
    .nullable(),
  last_failure: z
    .strictObject({ at: Timestamp, message: z.string() })
    .nullable()
    .describe('Failure of the latest backup; null if it succeeded.'),
})
export type Backups = z.infer<typeof Backups>
