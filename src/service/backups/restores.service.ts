import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Backups } from '../../contract/backups/backups.schemas.ts'
import { ApiError, requireFound } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { messageOf } from '../../lib/message-of.ts'
import { writeMac } from '../../storage/backup-mac.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type BackupFile, backupFolder, backupName, listBackupFiles } from './backup-files.ts'
import { readChecks, writeChecks, writeLastRestore } from './backups.store.ts'
import { carryAccessIfReadable, requireKnown, requireProof, requireSound, endCopiedJobs, recordRestore } from './restore-backup.ts'
import { databaseIn, dropSuccessor, successorIn, swapDatabase } from './swap-database.ts'

/** Bytes that a restore leaves free on the disk. */
const reserve = 64 * 1024 * 1024

export interface Restores {
  /** Begins one. @throws ApiError conflict while runs or another restore are under way, and for a backup of a newer Assay. */
  begin(backup: BackupFile, withoutProof: boolean, owner: JobOwner): void
  /** The one under way. */
  running(): Backups['restore']
  close(): Promise<void>
}

export interface RestoresDependencies {
  readonly jobs: Jobs
  readonly workers: Pick<Workers, 'verifyBackup'>
  /** How many runs have not ended: going back would undo what they have already paid for. */
  readonly runsUnderWay: () => number
}

/** The job checks the backup and puts it beside the database; the service then stops, and starts again on the other. */
export function createRestores(
  {
    config: { dataDir },
    db,
    clock,
    log,
    storage,
    restart,
  }: Pick<Kernel, 'config' | 'db' | 'clock' | 'log' | 'restart'> & { readonly storage: Pick<Kernel['storage'], 'read'> },
  { jobs, workers, runsUnderWay }: RestoresDependencies,
): Restores {
  const closing = new AbortController()
  /** Without a job: the check of a restore on a damaged database, and every restore once its check has passed. */
  let jobless: Backups['restore'] = null
  let work: Promise<void> | null = null

  const requireNoRuns = () => {
    // What is damaged takes no run to its end, and going back is the way out.
    if (storage.read().state === 'damaged') return
    const runs = runsUnderWay()
    if (runs > 0)
      throw new ApiError(
        'conflict',
        `${runs === 1 ? 'A run is' : `${runs} runs are`} under way. Cancel or let them end, then restore the backup.`,
      )
  }
  /** Puts the backup, examined, beside the database; the service keeps running meanwhile. */
  const prepare = async (backup: BackupFile, withoutProof: boolean, signal: AbortSignal): Promise<void> => {
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < backup.bytes + reserve)
      throw new ApiError(
        'unavailable',
        `The disk has ${formatBytes(bavail * bsize)} free and restoring needs ${formatBytes(backup.bytes + reserve)}. Nothing was changed.`,
      )
    dropSuccessor(dataDir)
    const copyOf = join(backupFolder(dataDir), backup.name)
    const { fault, proof } = await workers.verifyBackup({ path: successorIn(dataDir), copyOf }, signal)
    if (proof === 'different') writeChecks(db, { ...readChecks(db), [backup.name]: { at: timestamp(clock), fault, proof } })
    requireSound(backup, fault)
    requireProof(backup, proof, withoutProof)
    requireNoRuns()
  }
  /** While the service is stopped. */
  const replace = (backup: BackupFile): void => {
    const at = timestamp(clock)
    // A clean stop leaves no log beside the database, so it is a backup as it is. Otherwise both are kept, as a pair.
    const isWhole = !existsSync(`${databaseIn(dataDir)}-wal`)
    const keptName = isWhole ? backupName('before_restore', at) : `replaced-${at.replaceAll(':', '-')}`
    try {
      const access_carried = carryAccessIfReadable(dataDir, at, error =>
        log.warn({ err: error }, 'the database is damaged: sessions, keys and members are those of the backup'),
      )
      endCopiedJobs(dataDir, clock.now())
      recordRestore(successorIn(dataDir), { at, backup: backup.name, kept_as: keptName, failure: null, access_carried })
      if (isWhole) writeMac(databaseIn(dataDir), join(backupFolder(dataDir), keptName))
      swapDatabase(dataDir, isWhole ? join('backups', keptName) : join(keptName, 'assay.db'))
    } catch (error) {
      log.error({ err: error }, 'the restore failed')
      // If the swap has begun, the next start completes it, as its row states.
      recordRestore(databaseIn(dataDir), { at, backup: backup.name, kept_as: null, failure: messageOf(error), access_carried: true })
    }
  }
  const beginReplacing = (backup: BackupFile) => {
    jobless = { job_id: null, backup: backup.name, started_at: timestamp(clock), step: 'replacing' }
    restart(() => replace(backup))
  }
  const fail = (backup: string, message: string) => {
    dropSuccessor(dataDir)
    writeLastRestore(db, { at: timestamp(clock), backup, kept_as: null, failure: message, access_carried: true })
  }
  /** A damaged database may hold no job, and going back is the way out. */
  const restoreWithoutJob = async (backup: BackupFile, withoutProof: boolean): Promise<void> => {
    jobless = { job_id: null, backup: backup.name, started_at: timestamp(clock), step: 'checking' }
    try {
      await prepare(backup, withoutProof, closing.signal)
      closing.signal.throwIfAborted()
      beginReplacing(backup)
    } catch (error) {
      jobless = null
      if (!closing.signal.aborted) fail(backup.name, messageOf(error))
    }
  }
  const subjectOf = ({ name }: BackupFile) => ({ type: 'backup', id: name })

  jobs.register({
    kind: 'database_restore',
    input: z.strictObject({ name: z.string(), without_proof: z.boolean().default(false) }),
    lane: 'database-restores',
    concurrency: 1,
    run: async ({ input, checkpoint, commit, signal }) => {
      // Whoever starts the service again may not expect the data of another day.
      if (checkpoint !== null) throw new ApiError('conflict', 'The service stopped before the backup was restored. Nothing was changed.')
      commit(() => undefined, 'begun')
      const backup = requireFound(
        listBackupFiles(dataDir).find(file => file.name === input.name),
        'backup',
        input.name,
      )
      await prepare(backup, input.without_proof, signal)
      signal.throwIfAborted()
      return () => db.afterCommit(() => beginReplacing(backup))
    },
    ended: ({ input }, { message }) => fail(input.name, message),
  })
  const running = (): Backups['restore'] => {
    const [job] = jobs.open('database_restore')
    if (!job?.subject) return jobless
    return { job_id: job.id, backup: job.subject.id, started_at: job.started_at ?? job.created_at, step: 'checking' }
  }
  return {
    begin: (backup, withoutProof, owner) => {
      const present = running()
      if (present) throw new ApiError('conflict', `The backup ${present.backup} is being restored. Wait until that has ended.`)
      requireKnown(backup)
      requireNoRuns()
      if (storage.read().state === 'damaged')
        work = restoreWithoutJob(backup, withoutProof).catch((error: unknown) =>
          log.error({ err: error }, 'the outcome of a restore could not be stored'),
        )
      else
        jobs.enqueue('database_restore', {
          workspaceId: null,
          owner,
          input: { name: backup.name, without_proof: withoutProof },
          subject: subjectOf(backup),
        })
    },
    running,
    close: async () => {
      closing.abort()
      await work
    },
  }
}
