import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, type Backups } from '../../contract/index.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type BackupFile, backupFolder, backupName } from './backup-files.ts'
import { writeLastRestore } from './backups.store.ts'
import { carryAccessIfReadable, demandKnownVersion, demandSound, recordRestore } from './restore-backup.ts'
import { databaseIn, dropSuccessor, successorIn, swapDatabase } from './swap-database.ts'

/** Bytes that a restore leaves free on the disk. */
const reserve = 64 * 1024 * 1024

export interface Restores {
  /** Begins one. @throws ApiError conflict while runs or another restore are under way. */
  begin(backup: BackupFile): void
  /** The one under way. */
  running(): Backups['restore']
  close(): Promise<void>
}

/** @param runsUnderWay how many runs have not ended: going back would undo what they have already paid for */
export function createRestores(
  { config: { dataDir }, db, clock, log, storage, restart }: Pick<Kernel, 'config' | 'db' | 'clock' | 'log' | 'storage' | 'restart'>,
  workers: Pick<Workers, 'verifyBackup'>,
  runsUnderWay: () => number,
): Restores {
  const closing = new AbortController()
  let running: Backups['restore'] = null
  let work: Promise<void> | null = null

  const demandNoRuns = () => {
    // What is damaged takes no run to its end, and going back is the way out.
    if (storage.read().state === 'damaged') return
    const runs = runsUnderWay()
    if (runs > 0)
      throw new ApiError(
        'conflict',
        `${runs === 1 ? 'A run is' : `${runs} runs are`} under way. Cancel or let them end, then restore the backup.`,
      )
  }
  /** Puts the backup, examined, beside the database; everything goes on meanwhile. */
  const prepare = async (backup: BackupFile): Promise<void> => {
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < backup.bytes + reserve)
      throw new Error(
        `The disk has ${formatBytes(bavail * bsize)} free and restoring needs ${formatBytes(backup.bytes + reserve)}. Nothing was changed.`,
      )
    dropSuccessor(dataDir)
    const copyOf = join(backupFolder(dataDir), backup.name)
    demandSound(backup, await workers.verifyBackup({ path: successorIn(dataDir), copyOf }, closing.signal))
    demandKnownVersion(dataDir, backup)
    demandNoRuns()
  }
  /** While the service stands still. */
  const replace = (backup: BackupFile): void => {
    const at = timestamp(clock)
    // A clean stop leaves no log beside the database, so it is a backup as it is. Otherwise both are kept, as a pair.
    const isWhole = !existsSync(`${databaseIn(dataDir)}-wal`)
    const keptName = isWhole ? backupName('before_restore', at) : `replaced-${at.replaceAll(':', '-')}`
    try {
      const access_carried = carryAccessIfReadable(dataDir, error =>
        log.warn({ err: error }, 'the database is damaged: sessions, keys and members are those of the backup'),
      )
      recordRestore(successorIn(dataDir), { at, backup: backup.name, kept_as: keptName, failure: null, access_carried })
      swapDatabase(dataDir, isWhole ? join('backups', keptName) : join(keptName, 'assay.db'))
    } catch (error) {
      log.error({ err: error }, 'the restore failed')
      // If the swap has begun, the next start completes it, and the row in there says so.
      recordRestore(databaseIn(dataDir), { at, backup: backup.name, kept_as: null, failure: messageOf(error), access_carried: true })
    }
  }
  const carryOut = async (backup: BackupFile): Promise<void> => {
    try {
      await prepare(backup)
      if (closing.signal.aborted) return
      running = running && { ...running, step: 'replacing' }
      restart(() => replace(backup))
    } catch (error) {
      dropSuccessor(dataDir)
      running = null
      if (closing.signal.aborted) return
      log.error({ err: error }, 'the restore failed')
      writeLastRestore(db, { at: timestamp(clock), backup: backup.name, kept_as: null, failure: messageOf(error), access_carried: true })
    }
  }
  return {
    begin: backup => {
      if (running) throw new ApiError('conflict', `The backup ${running.backup} is being restored. Wait until that has ended.`)
      demandNoRuns()
      running = { backup: backup.name, started_at: timestamp(clock), step: 'checking' }
      work = carryOut(backup).catch((error: unknown) => log.error({ err: error }, 'what came of a restore could not be stored'))
    },
    running: () => running,
    close: async () => {
      closing.abort()
      await work
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
