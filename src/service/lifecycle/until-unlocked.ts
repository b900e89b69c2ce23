import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from '../../storage/busy.ts'
import { DataFolderInUseError } from './data-folder.ts'

/** Milliseconds between two tries. */
const tryEveryMs = 200

export interface LockWait {
  readonly waitMs: number
  readonly say: (line: string) => void
  /** Ends the waiting early. */
  readonly stopping: AbortSignal | undefined
}

/** Tries again while another program holds the data, for as long as a start waits, and says once what it waits for. */
export async function untilUnlocked<Result>(attempt: () => Result | Promise<Result>, { waitMs, say, stopping }: LockWait): Promise<Result> {
  const until = performance.now() + waitMs
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isPassing(error) || stopping?.aborted || waitMs === 0) throw error
      if (performance.now() >= until) {
        error.message += ` Waited ${waitMs / 1000} s; "serve --lock-wait SECONDS" changes that.`
        throw error
      }
      if (tries === 0) say(`${error.message} Waiting up to ${waitMs / 1000} s for it.`)
      await sleep(tryEveryMs, undefined, stopping ? { signal: stopping } : {}).catch(() => undefined)
    }
  }
}

/** A lock that may pass: not that of a service which serves. */
function isPassing(error: unknown): error is Error {
  return isBusy(error) || (error instanceof DataFolderInUseError && !error.isServed)
}
