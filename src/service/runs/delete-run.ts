import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../../contract/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { demandAtRest } from './ask-again.ts'
import { deletedRuns, evaluationOf, markDeleted, purgeRows } from './delete-run.store.ts'
import type { RunRow } from './runs.store.ts'

/** Rows taken away in one transaction, and the milliseconds between two: the service goes on answering. */
const slice = 500
const rest = 5

/** Takes deleted runs away a little at a time, from wherever a stop left it. */
export interface RunDeletion {
  /** Nobody sees the run from now on. @throws ApiError illegal_transition, conflict */
  delete(row: RunRow): void
  resume(): void
  close(): Promise<void>
}

export function createRunDeletion(kernel: Kernel): RunDeletion {
  const { db, clock, config, log } = kernel
  const closing = new AbortController()
  let work: Promise<void> | null = null

  const removeExports = (ids: readonly string[]) => {
    const folder = join(config.dataDir, 'exports')
    for (const name of existingNames(folder)) {
      if (ids.some(id => name.startsWith(`${id}-v`))) rmSync(join(folder, name), { force: true })
    }
  }
  /** Until none is left, those that are deleted meanwhile included. */
  const purge = async () => {
    for (let [run] = deletedRuns(db); run && !closing.signal.aborted; [run] = deletedRuns(db)) {
      const { no } = run
      while (!closing.signal.aborted && purgeRows(db, no, slice))
        await delay(rest, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const start = () => {
    work ??= purge()
      .catch(error => log.error({ err: error }, 'deleted runs could not be taken away; it goes on at the next start'))
      .finally(() => {
        work = null
      })
  }

  return {
    delete: row => {
      demandAtRest(kernel, row, 'delete')
      const evaluation = evaluationOf(db, row.id)
      if (evaluation !== null)
        throw new ApiError('conflict', `The run "${row.id}" carries the evaluation "${evaluation}", so it stays. Archive it instead.`)
      removeExports(markDeleted(db, row.no, timestamp(clock)))
      db.afterCommit(start)
    },
    resume: start,
    close: async () => {
      closing.abort()
      await work
    },
  }
}

function existingNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No export was ever made.
    return []
  }
}
