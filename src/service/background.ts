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
