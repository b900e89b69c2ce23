import { join } from 'node:path'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type BackupFile, backupFolder, listBackupFiles } from './backup-files.ts'
import { readChecks, writeChecks } from './backups.store.ts'

/** Examining backups that were made earlier: files rot. */
export interface Checks {
  /** Begins one unless one is under way. */
  begin(backup: BackupFile): void
  /** Name of the backup that is being examined. */
  running(): string | null
  /** Begins with what a restore put aside, which nobody has examined yet. */
  start(): void
  close(): Promise<void>
}

export function createChecks(
  { config: { dataDir }, db, clock, log }: Pick<Kernel, 'config' | 'db' | 'clock' | 'log'>,
  workers: Pick<Workers, 'verifyBackup'>,
): Checks {
  const closing = new AbortController()
  let running: { readonly name: string; readonly done: Promise<void> } | null = null

  const check = async ({ name }: BackupFile): Promise<void> => {
    const fault = await workers.verifyBackup({ path: join(backupFolder(dataDir), name) }, closing.signal)
    const names = new Set(listBackupFiles(dataDir).map(backup => backup.name))
    const kept = Object.entries(readChecks(db)).filter(([known]) => names.has(known))
    writeChecks(db, { ...Object.fromEntries(kept), [name]: { at: timestamp(clock), fault } })
  }
  const begin = (backup: BackupFile) => {
    if (running || closing.signal.aborted) return
    const done = check(backup)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'the backup could not be checked')
      })
      .finally(() => {
        running = null
      })
    running = { name: backup.name, done }
  }
  return {
    begin,
    running: () => running?.name ?? null,
    start: () => {
      const known = readChecks(db)
      const unknown = listBackupFiles(dataDir).find(({ kind, name }) => kind === 'before_restore' && known[name] === undefined)
      if (unknown) begin(unknown)
    },
    close: async () => {
      closing.abort()
      await running?.done
    },
  }
}
