import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StorageUse } from '../../contract/index.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { createExaminations } from './examinations.ts'
import { folderWarning } from './folder-warning.ts'
import { keepLogShort } from './log-length.store.ts'
import { countStored, freePages, pageSize } from './storage.store.ts'

/** Pages given back in one go: a few milliseconds' worth. */
const slice = 128

export type Storage = ReturnType<typeof createStorage>

/** How much the data folder holds, and the giving back of what it no longer needs. */
export function createStorage(kernel: Kernel, workers: Pick<Workers, 'examinePages'>) {
  const { db, config, clock, log } = kernel
  const examinations = createExaminations(kernel, workers)
  const logLength = keepLogShort(kernel)
  const warning = folderWarning(config.dataDir)
  if (warning) log.warn({ dataDir: config.dataDir }, warning)
  const closing = new AbortController()
  let latest: StorageUse['compaction'] = null
  let work: Promise<void> | null = null

  const use = (): StorageUse => {
    const { bavail, bsize } = statfsSync(config.dataDir)
    return {
      database_bytes: fileBytes(db.path) + fileBytes(`${db.path}-wal`),
      reusable_bytes: freePages(db) * pageSize(db),
      exports_bytes: folderBytes(join(config.dataDir, 'exports')),
      disk_free_bytes: bavail * bsize,
      ...countStored(db),
      examination: examinations.latest(),
      examining: examinations.isRunning(),
      folder_warning: warning,
      compaction: latest,
    }
  }
  const compact = async () => {
    const began = freePages(db)
    const started_at = timestamp(clock)
    const tell = (finished: boolean) => {
      latest = {
        started_at,
        finished_at: finished ? timestamp(clock) : null,
        returned_bytes: Math.max(0, began - freePages(db)) * pageSize(db),
      }
    }
    tell(false)
    for (let before = began + 1; freePages(db) < before && freePages(db) > 0 && !closing.signal.aborted; await nextTurn()) {
      before = freePages(db)
      db.pragma(`incremental_vacuum(${slice})`)
      tell(false)
    }
    db.pragma('wal_checkpoint(PASSIVE)')
    tell(true)
  }
  return {
    use,
    examine: (): StorageUse => {
      examinations.begin()
      return use()
    },
    start: () => examinations.start(),
    compact: (): StorageUse => {
      work ??= compact()
        .catch(error => log.error({ err: error }, 'the database could not be compacted'))
        .finally(() => {
          work = null
        })
      return use()
    },
    close: async () => {
      logLength.close()
      closing.abort()
      await examinations.close()
      await work
    },
  }
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function folderBytes(folder: string): number {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return 0
  return readdirSync(folder).reduce((sum, name) => sum + fileBytes(join(folder, name)), 0)
}
