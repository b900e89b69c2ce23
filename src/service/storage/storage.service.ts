import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Job, JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { StorageUse } from '../../contract/storage/storage.schemas.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import { cacheUse, forgetAnswers } from '../runs/index.ts'
import { createExaminations } from './examinations.ts'
import { folderWarning } from './folder-warning.ts'
import { keepLogShort } from './log-length.store.ts'
import { dismissLostChanges, readLostChanges } from './lost-changes.ts'
import { checkpoint, countStored, freePages, pageSize, returnPages } from './storage.store.ts'

/** Pages given back in one go: a few milliseconds' worth. */
const slice = 128
const forgottenAtOnce = 2_000

export type Storage = ReturnType<typeof createStorage>

/** How much the data folder holds, and the giving back of what it no longer needs. */
export function createStorage(kernel: Kernel, workers: Pick<Workers, 'examinePages'>, jobs: Jobs) {
  const { db, config, log } = kernel
  const examinations = createExaminations(kernel, workers, jobs)
  const logLength = keepLogShort(kernel)
  const warning = folderWarning(config.dataDir)
  if (warning) log.warn({ dataDir: config.dataDir }, warning)
  const use = (): StorageUse => {
    const { bavail, bsize } = statfsSync(config.dataDir)
    return {
      database_bytes: fileBytes(db.path) + fileBytes(`${db.path}-wal`),
      reusable_bytes: freePages(db) * pageSize(db),
      exports_bytes: folderBytes(join(config.dataDir, 'exports')),
      disk_free_bytes: bavail * bsize,
      ...countStored(db),
      cache: cacheUse(db),
      examination: examinations.latest(),
      examining: examinations.isRunning(),
      examination_job_id: examinations.job()?.id ?? null,
      folder_warning: warning,
      lost_changes: readLostChanges(db),
      compaction: compactionOf(jobs.latest('storage_compaction')),
    }
  }
  jobs.register({
    kind: 'storage_compaction',
    input: z.strictObject({}),
    lane: 'storage-compactions',
    concurrency: 1,
    run: async ({ signal, progress }) => {
      const began = freePages(db)
      const tell = () => progress({ done: Math.max(0, began - freePages(db)) * pageSize(db), total: began * pageSize(db) })
      tell()
      for (let before = began + 1; freePages(db) < before && freePages(db) > 0; await nextTurn()) {
        signal.throwIfAborted()
        before = freePages(db)
        returnPages(db, slice)
        tell()
      }
      checkpoint(db)
    },
    retried: () => {},
  })
  return {
    use,
    examine: (owner: JobOwner): StorageUse => {
      examinations.begin(owner)
      return use()
    },
    lostChanges: () => readLostChanges(db),
    dismissLostChanges: (): StorageUse => {
      db.transaction(() => dismissLostChanges(db))
      return use()
    },
    start: () => {
      logLength.start()
      examinations.start()
    },
    clearCache: async (): Promise<StorageUse> => {
      while (forgetAnswers(db, forgottenAtOnce)) await nextTurn()
      return use()
    },
    compact: (owner: JobOwner): StorageUse => {
      db.transaction(() => {
        if (jobs.open('storage_compaction').length === 0)
          jobs.enqueue('storage_compaction', { workspaceId: null, owner, input: {}, subject: null })
      })
      return use()
    },
    close: () => {
      logLength.close()
      examinations.close()
    },
  }
}

/** Its progress counts the bytes that were given back. */
function compactionOf(job: Job | null): StorageUse['compaction'] {
  if (!job) return null
  const { id, created_at, started_at, finished_at, progress } = job
  return { job_id: id, started_at: started_at ?? created_at, finished_at, returned_bytes: progress?.done ?? 0 }
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function folderBytes(folder: string): number {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return 0
  return readdirSync(folder).reduce((sum, name) => sum + fileBytes(join(folder, name)), 0)
}
