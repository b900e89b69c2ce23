import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Backup, Backups, BackupSchedule } from '../../contract/backups/backups.schemas.ts'
import { ApiError, notFound } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { macFileOf } from '../../storage/backup-mac.ts'
import { keepMedia, unkeptFiles } from '../../storage/kept-media.ts'
import { syncFolder } from '../../storage/sync-folder.ts'
import type { Workers } from '../../workers/pool.ts'
import { atIntervals } from '../background.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type BackupFile, backupFolder, backupName, listBackupFiles, tidyBackups } from './backup-files.ts'
import { readChecks, readLastRestore, readSchedule, writeSchedule } from './backups.store.ts'
import { createChecks } from './checks.service.ts'
import { createRestores } from './restores.service.ts'
import { commandLine } from '../../lib/command-line.ts'

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
  begin(kind: BackupInput['kind'], owner: JobOwner): void
  /** Reads all pages of one; while one is running, returns that one. @throws ApiError not_found */
  check(name: string, owner: JobOwner): void
  /** Begins to go back to one. @throws ApiError not_found, or conflict while runs or another restore are under way. */
  restore(name: string, withoutProof: boolean, owner: JobOwner): void
  setSchedule(change: { readonly [K in keyof BackupSchedule]?: BackupSchedule[K] | undefined }): void
  /** Looks from now on whether one is due. */
  start(): void
  close(): Promise<void>
}

const BackupInput = z.strictObject({ kind: z.enum(['manual', 'scheduled']) })
type BackupInput = z.infer<typeof BackupInput>

export interface BackupsDependencies {
  readonly jobs: Jobs
  readonly workers: Pick<Workers, 'verifyBackup'>
  readonly runsUnderWay: () => number
}

export function createBackups(
  kernel: Pick<Kernel, 'config' | 'db' | 'clock' | 'log' | 'restart'> & { readonly storage: Pick<Kernel['storage'], 'read'> },
  { jobs, workers, runsUnderWay }: BackupsDependencies,
): BackupService {
  const {
    config: { dataDir },
    db,
    clock,
    log,
  } = kernel
  const checks = createChecks(kernel, workers, jobs)
  const restores = createRestores(kernel, { jobs, workers, runsUnderWay })

  const take = async ({ input: { kind }, signal, progress }: JobContext<BackupInput>): Promise<void> => {
    const { keep } = readSchedule(db)
    tidyBackups(dataDir, keep)
    requireRoom()
    const path = join(backupFolder(dataDir), backupName(kind, timestamp(clock)))
    const partial = `${path}.partial`
    try {
      await db.copyTo(partial, fraction => {
        signal.throwIfAborted()
        progress({ done: fraction, total: 1, message: 'Copying' })
      })
      progress({ done: 1, total: 1, message: 'Verifying' })
      const { fault } = await workers.verifyBackup({ path: partial, becomes: path }, signal)
      if (fault !== null) throw new ApiError('internal_error', `The copy is not sound (${fault}). Run "${commandLine('doctor')}".`)
      signal.throwIfAborted()
      renameSync(partial, path)
      syncFolder(backupFolder(dataDir))
      tidyBackups(dataDir, keep)
      progress({ done: 1, total: 1, message: 'Keeping media' })
      await keepFiles(signal)
    } finally {
      for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(partial + rest, { force: true })
      if (!existsSync(path)) rmSync(macFileOf(path), { force: true })
    }
  }
  /** After the database, whose backup is there whatever becomes of them. */
  const keepFiles = async (signal: AbortSignal): Promise<void> => {
    const faults: unknown[] = []
    for (const _ of keepMedia(dataDir, error => faults.push(error))) {
      signal.throwIfAborted()
      await nextTurn()
    }
    if (faults.length > 0) throw new ApiError('unavailable', unkeptFiles(faults))
  }
  /** Writing until the disk is full would take runs down with the backup. */
  const requireRoom = () => {
    const { bavail, bsize } = statfsSync(dataDir)
    const needed = statSync(db.path).size + reserve
    if (bavail * bsize < needed)
      throw new ApiError(
        'unavailable',
        `The disk has ${formatBytes(bavail * bsize)} free and a backup needs ${formatBytes(needed)}. Free some space or keep fewer backups.`,
      )
  }
  jobs.register({
    kind: 'backup',
    input: BackupInput,
    lane: 'backups',
    concurrency: 1,
    run: take,
    retried: () => {},
  })
  const running = () => jobs.open('backup')[0] ?? null
  const begin = (kind: BackupInput['kind'], owner: JobOwner) =>
    db.transaction(() => {
      if (!running()) jobs.enqueue('backup', { workspaceId: null, owner, input: { kind }, subject: null })
    })
  const lastFailure = (): Backups['last_failure'] => {
    const latest = jobs.latest('backup')
    return latest?.state === 'failed' && latest.error && latest.finished_at
      ? { at: latest.finished_at, message: latest.error.message }
      : null
  }
  /** Counted from the newest backup or failure, so that a full disk is not tried at every look. */
  const nextAt = (items: readonly BackupFile[]): Date | null => {
    const interval = intervals[readSchedule(db).every]
    if (interval === null) return null
    const newest = items.find(({ kind }) => kind === 'scheduled' || kind === 'manual')?.created_at
    const last = [newest, lastFailure()?.at]
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
    return ({ hasMac, ...file }: BackupFile): Backup => {
      const check = recorded[file.name]
      const proof = hasMac ? (check?.proof === 'different' ? 'different' : 'valid') : 'missing'
      // One has its name only once it was found sound, but for the database that a restore put aside.
      return {
        ...file,
        checked_at: check?.at ?? (file.kind === 'before_restore' ? null : file.created_at),
        fault: check?.fault ?? null,
        proof,
      }
    }
  }
  const beginIfDue = () => {
    const due = nextAt(listBackupFiles(dataDir))
    if (due !== null && due <= clock.now()) begin('scheduled', { kind: 'service' })
  }
  const schedule = atIntervals(log, lookEvery, beginIfDue, 'could not look whether a backup is due')

  return {
    read: () => {
      const items = listBackupFiles(dataDir)
      const job = running()
      const check = checks.running()
      return {
        items: items.map(withChecks()),
        next_cursor: null,
        schedule: readSchedule(db),
        next_at: nextAt(items)?.toISOString() ?? null,
        running: job && { job_id: job.id, started_at: job.started_at ?? job.created_at, fraction: job.progress?.done ?? 0 },
        checking: check?.subject?.id ?? null,
        checking_job_id: check?.id ?? null,
        restore: restores.running(),
        last_restore: readLastRestore(db),
        last_failure: lastFailure(),
      }
    },
    begin,
    check: (name, owner) => checks.begin(fileOf(name), owner),
    restore: (name, withoutProof, owner) => restores.begin(fileOf(name), withoutProof, owner),
    setSchedule: change => {
      const { every, keep } = readSchedule(db)
      writeSchedule(db, { every: change.every ?? every, keep: change.keep ?? keep })
    },
    start: () => {
      checks.start()
      schedule.start()
    },
    close: async () => {
      schedule.close()
      await restores.close()
    },
  }
}
