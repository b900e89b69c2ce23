import { join } from 'node:path'
import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import type { Job, JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { logFault } from '../../storage/verify-copy.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type BackupFile, backupFolder, listBackupFiles } from './backup-files.ts'
import { readChecks, writeChecks } from './backups.store.ts'
import { requireKnown } from './restore-backup.ts'

/** Examining backups that were made earlier: files rot. */
export interface Checks {
  /** Begins one unless one is under way. @throws ApiError conflict for a backup of a newer Assay, or with a log beside it */
  begin(backup: BackupFile, owner: JobOwner): void
  /** The one under way; its subject is the backup's name. */
  running(): Job | null
  /** Begins with databases replaced by a restore, which are unchecked. */
  start(): void
}

export function createChecks(
  { config: { dataDir }, db, clock }: Pick<Kernel, 'config' | 'db' | 'clock'>,
  workers: Pick<Workers, 'verifyBackup'>,
  jobs: Jobs,
): Checks {
  jobs.register({
    kind: 'backup_check',
    input: z.strictObject({ name: z.string() }),
    lane: 'backup-checks',
    concurrency: 1,
    run: async ({ input: { name }, signal }) => {
      const { fault, proof, log } = await workers.verifyBackup({ path: join(backupFolder(dataDir), name) }, signal)
      if (log !== null) throw new ApiError('conflict', log)
      const names = new Set(listBackupFiles(dataDir).map(backup => backup.name))
      return () => {
        const kept = Object.entries(readChecks(db)).filter(([known]) => names.has(known))
        writeChecks(db, { ...Object.fromEntries(kept), [name]: { at: timestamp(clock), fault, proof } })
      }
    },
    retried: () => {},
  })
  const running = () => jobs.open('backup_check')[0] ?? null
  const begin = (backup: BackupFile, owner: JobOwner) => {
    requireKnown(backup)
    const { name } = backup
    // No fault of the backup: a restore, which does not copy the log, stays possible.
    const log = logFault(join(backupFolder(dataDir), name))
    if (log !== null) throw new ApiError('conflict', log)
    db.transaction(() => {
      if (!running()) jobs.enqueue('backup_check', { workspaceId: null, owner, input: { name }, subject: { type: 'backup', id: name } })
    })
  }
  return {
    begin,
    running,
    start: () => {
      const known = readChecks(db)
      const unknown = listBackupFiles(dataDir).find(
        ({ kind, name, newer }) =>
          kind === 'before_restore' && !newer && known[name] === undefined && logFault(join(backupFolder(dataDir), name)) === null,
      )
      if (unknown) begin(unknown, { kind: 'service' })
    },
  }
}
