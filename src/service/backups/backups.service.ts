import { renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Backup, type Backups, type BackupSchedule, notFound } from '../../contract/index.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { syncFolder } from '../../storage/sync-folder.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type BackupFile, backupFolder, backupName, listBackupFiles, tidyBackups } from './backup-files.ts'
import { readChecks, readLastRestore, readSchedule, writeSchedule } from './backups.store.ts'
import { createChecks } from './checks.service.ts'
import { createRestores } from './restores.service.ts'

const hour = 3600 * 1000
const intervals: Readonly<Record<BackupSchedule['every'], number | null>> = {
  off: null,
  hourly: hour,
  daily: 24 * hour,
  weekly: 168 * hour,
}

/** How often to look whether one is due, in milliseconds: a laptop sleeps through timers that are set for tomorrow. */
const lookEvery = 5 * 60 * 1000

/** Bytes that a backup leaves free on the disk. */
const reserve = 64 * 1024 * 1024

export interface BackupService {
  read(): Backups
  /** Begins one unless one is under way. */
  begin(kind: 'manual' | 'scheduled'): void
  /** Reads all pages of one; while one is being read, that goes on instead. @throws ApiError not_found */
  check(name: string): void
  /** Begins to go back to one. @throws ApiError not_found, or conflict while runs or another restore are under way. */
  restore(name: string): void
  setSchedule(change: { readonly [K in keyof BackupSchedule]?: BackupSchedule[K] | undefined }): void
  /** Looks from now on whether one is due. */
  start(): void
  /** Resolves when none is under way. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface Running {
  readonly startedAt: string
  fraction: number
  done: Promise<void>
}

export function createBackups(
  kernel: Pick<Kernel, 'config' | 'db' | 'clock' | 'log' | 'storage' | 'restart'>,
  workers: Pick<Workers, 'verifyBackup'>,
  runsUnderWay: () => number,
): BackupService {
  const {
    config: { dataDir },
    db,
    clock,
    log,
  } = kernel
  const checks = createChecks(kernel, workers)
  const restores = createRestores(kernel, workers, runsUnderWay)
  const closing = new AbortController()
  let running: Running | null = null
  let lastFailure: Backups['last_failure'] = null
  let timer: NodeJS.Timeout | undefined

  const take = async (kind: 'manual' | 'scheduled', progress: (fraction: number) => void): Promise<void> => {
    const { keep } = readSchedule(db)
    tidyBackups(dataDir, keep)
    demandRoom()
    const path = join(backupFolder(dataDir), backupName(kind, timestamp(clock)))
    const partial = `${path}.partial`
    try {
      await db.copyTo(partial, fraction => {
        closing.signal.throwIfAborted()
        progress(fraction)
      })
      progress(1)
      const fault = await workers.verifyBackup({ path: partial }, closing.signal)
      if (fault !== null) throw new Error(`The copy is not sound (${fault}). Run "npm run doctor".`)
      renameSync(partial, path)
      syncFolder(backupFolder(dataDir))
      tidyBackups(dataDir, keep)
    } finally {
      for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(partial + rest, { force: true })
    }
  }
  /** Writing until the disk is full would take runs down with the backup. */
  const demandRoom = () => {
    const { bavail, bsize } = statfsSync(dataDir)
    const needed = statSync(db.path).size + reserve
    if (bavail * bsize < needed)
      throw new Error(
        `The disk has ${formatBytes(bavail * bsize)} free and a backup needs ${formatBytes(needed)}. Free some space or keep fewer backups.`,
      )
  }
  const begin = (kind: 'manual' | 'scheduled') => {
    if (running || closing.signal.aborted) return
    const now: Running = { startedAt: timestamp(clock), fraction: 0, done: Promise.resolve() }
    running = now
    now.done = take(kind, fraction => (now.fraction = fraction))
      .then(() => {
        lastFailure = null
      })
      .catch((error: unknown) => {
        if (closing.signal.aborted) return
        log.error({ err: error }, 'the backup failed')
        lastFailure = { at: timestamp(clock), message: error instanceof Error ? error.message : String(error) }
      })
      .finally(() => {
        running = null
      })
  }
  /** Counted from the newest backup or failure, so that a full disk is not tried at every look. */
  const nextAt = (items: readonly BackupFile[]): Date | null => {
    const interval = intervals[readSchedule(db).every]
    if (interval === null) return null
    const newest = items.find(({ kind }) => kind === 'scheduled' || kind === 'manual')?.created_at
    const last = [newest, lastFailure?.at]
      .filter(at => at !== undefined)
      .sort()
      .at(-1)
    return last === undefined ? clock.now() : new Date(new Date(last).getTime() + interval)
  }
  const fileOf = (name: string): BackupFile => {
    const known = listBackupFiles(dataDir).find(backup => backup.name === name)
    if (!known) throw notFound('backup', name)
    return known
  }
  const withChecks = () => {
    const recorded = readChecks(db)
    return (file: BackupFile): Backup => {
      const check = recorded[file.name]
      // One has its name only once it was found sound, but for the database that a restore put aside.
      return { ...file, checked_at: check?.at ?? (file.kind === 'before_restore' ? null : file.created_at), fault: check?.fault ?? null }
    }
  }
  const beginIfDue = () => {
    const due = nextAt(listBackupFiles(dataDir))
    if (due !== null && due <= clock.now()) begin('scheduled')
  }

  return {
    read: () => {
      const items = listBackupFiles(dataDir)
      return {
        items: items.map(withChecks()),
        next_cursor: null,
        schedule: readSchedule(db),
        next_at: nextAt(items)?.toISOString() ?? null,
        running: running && { started_at: running.startedAt, fraction: running.fraction },
        checking: checks.running(),
        restore: restores.running(),
        last_restore: readLastRestore(db),
        last_failure: lastFailure,
      }
    },
    begin,
    check: name => checks.begin(fileOf(name)),
    restore: name => restores.begin(fileOf(name)),
    setSchedule: change => {
      const { every, keep } = readSchedule(db)
      writeSchedule(db, { every: change.every ?? every, keep: change.keep ?? keep })
    },
    start: () => {
      checks.start()
      timer = setInterval(() => {
        try {
          beginIfDue()
        } catch (error) {
          log.error({ err: error }, 'could not look whether a backup is due')
        }
      }, lookEvery).unref()
    },
    settled: async () => {
      await running?.done
    },
    close: async () => {
      clearInterval(timer)
      closing.abort()
      await Promise.all([running?.done, checks.close(), restores.close()])
    },
  }
}
