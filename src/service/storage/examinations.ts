import type { StorageUse } from '../../contract/index.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { readExamination, writeExamination } from './storage.store.ts'

const week = 7 * 24 * 3600 * 1000

/** How often to look whether one is due, in milliseconds: a laptop sleeps through timers that are set for next week. */
const lookEvery = 5 * 60 * 1000

export interface Examinations {
  latest(): StorageUse['examination']
  isRunning(): boolean
  /** Begins one unless one is under way. */
  begin(): void
  /** Looks from now on whether one is due. */
  start(): void
  /** Resolves when none is under way. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Reads the whole database once a week, beside the work: damage that is found late has spread into the backups. */
export function createExaminations(
  { db, clock, log, storage }: Pick<Kernel, 'db' | 'clock' | 'log' | 'storage'>,
  workers: Pick<Workers, 'examinePages'>,
): Examinations {
  const closing = new AbortController()
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const examine = async (): Promise<void> => {
    const faults = await workers.examinePages({ path: db.path }, closing.signal)
    if (faults.length > 0) {
      log.error({ faults }, 'the database is damaged')
      storage.noteDamage()
    }
    storage.attempt(() => writeExamination(db, { at: timestamp(clock), faults }))
  }
  const begin = () => {
    if (closing.signal.aborted) return
    running ??= examine()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ err: error }, 'the database could not be examined')
      })
      .finally(() => {
        running = null
      })
  }
  const beginIfDue = () => {
    const latest = readExamination(db)
    if (latest === null || clock.now().getTime() - Date.parse(latest.at) >= week) begin()
  }
  return {
    latest: () => readExamination(db),
    isRunning: () => running !== null,
    begin,
    start: () => {
      timer = setInterval(() => {
        try {
          beginIfDue()
        } catch (error) {
          log.error({ err: error }, 'could not look whether an examination is due')
        }
      }, lookEvery).unref()
    },
    settled: async () => {
      await running
    },
    close: async () => {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}
