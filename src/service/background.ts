import type { Logger } from 'pino'
import { guarded } from '../lib/guarded.ts'

/** What a feature does without a request. Features start in the order of the composition and close in reverse. */
export interface Background {
  start?(): void
  close?(): void | Promise<void>
}

/** One that fails, such as one on a disk that takes no change, keeps no other from closing. */
export async function closeInReverse(parts: readonly Background[], log: Pick<Logger, 'error'>): Promise<void> {
  for (const part of parts.toReversed()) {
    try {
      await part.close?.()
    } catch (error) {
      log.error({ err: error }, 'a step of stopping failed')
    }
  }
}

/**
 * Work that is done at intervals while the service runs.
 * @param failure what the log states where it throws; the next interval comes all the same
 */
export function atIntervals(log: Logger, everyMs: number, work: () => unknown, failure: string) {
  let timer: NodeJS.Timeout | undefined
  return {
    start: (): void => {
      timer = setInterval(
        guarded(work, error => log.error({ err: error }, failure)),
        everyMs,
      ).unref()
    },
    close: (): void => clearInterval(timer),
  }
}

/**
 * A clock that was ahead left times that its correction puts off, perhaps by years: at the start and after each step back, a time beyond the
 * next two is one of those. One step back within a period repeats nothing.
 * @param waiting what waits for a time after now
 * @param nextOf its first time after another
 * @returns what follows a correction; it is called with the time before each look for what is due
 */
export function clockCorrections<Row extends { readonly next_run_at: string | null }>(
  waiting: (now: string) => readonly Row[],
  nextOf: (row: Row, after: string) => string | null,
  set: (row: Row, next: string) => void,
): (now: string) => void {
  let lookedAt = ''
  return now => {
    for (const row of lookedAt === '' || now < lookedAt ? waiting(now) : []) {
      const next = nextOf(row, now)
      const second = next === null ? null : nextOf(row, next)
      if (next !== null && second !== null && row.next_run_at !== null && row.next_run_at > second) set(row, next)
    }
    lookedAt = now
  }
}
