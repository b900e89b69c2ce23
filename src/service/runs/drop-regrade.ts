import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from '../kernel.ts'
import { droppedRegrades, dropSome, markRegradeDropped } from './dropped-regrades.store.ts'

/** Samples that get their earlier scores back in one transaction: a few milliseconds' worth. */
const step = 250
/** Milliseconds until a removal that failed is tried again. */
const retryMs = 2_000

/** Takes back what regrades that were cancelled or failed have graded, some samples at a time. */
export interface RegradeDropping {
  /** In the caller's transaction. A small regrade is gone with it; of a larger one the rest is removed afterwards. */
  drop(runNo: number): void
  /** At start: continues what a stop has left. */
  resume(): void
  /** Stops; the next start continues. */
  close(): Promise<void>
}

/** @param announce the run has changed */
export function createRegradeDropping({ db, log }: Pick<Kernel, 'db' | 'log'>, announce: (runNo: number) => void): RegradeDropping {
  const closing = new AbortController()
  let dropping: Promise<void> = Promise.resolve()
  const dropAll = async () => {
    for (const runNo of droppedRegrades(db)) {
      for (let after: number | null = -1; after !== null && !closing.signal.aborted; await nextTurn())
        after = dropSome(db, runNo, after, step)
      announce(runNo)
    }
  }
  const untilDropped = async () => {
    while (!closing.signal.aborted) {
      try {
        return await dropAll()
      } catch (error) {
        log.warn({ err: error }, 'scores of a cancelled regrade could not be removed; this is tried again')
        await delay(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      }
    }
  }
  const resume = () => {
    dropping = dropping.then(untilDropped)
  }
  return {
    drop: runNo => {
      markRegradeDropped(db, runNo)
      if (dropSome(db, runNo, -1, step) !== null) db.afterCommit(resume)
    },
    resume,
    close: () => {
      closing.abort()
      return dropping
    },
  }
}
