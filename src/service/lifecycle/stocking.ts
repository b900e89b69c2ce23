import { setImmediate } from 'node:timers/promises'
import type { Kernel } from '../kernel.ts'

/** What ships with Assay on its way into the database. */
export interface Stocking {
  /** Resolves when everything is there; null when it is. Rejects with what the database said when it could not be written. */
  pending(): Promise<void> | null
  /** Takes no further step, and waits for the one at hand. */
  close(): Promise<void>
}

/**
 * Stores what ships with the product and is missing, one step after another: some tenths of a second at the first start on a folder, for
 * which the service need not keep silent. Stopped in between, the next start goes on.
 * @param steps each all or nothing
 */
export function beginStocking({ log }: Pick<Kernel, 'log'>, steps: readonly (() => void)[]): Stocking {
  let closing = false
  const takeAll = async () => {
    for (const step of steps) {
      await setImmediate()
      if (closing) return
      step()
    }
  }
  let pending: Promise<void> | null = null
  if (steps.length > 0) {
    pending = takeAll()
    pending.then(
      () => {
        pending = null
      },
      (error: unknown) => log.error({ err: error }, 'what ships with Assay could not be stored; the next start tries again'),
    )
  }
  return {
    pending: () => pending,
    close: async () => {
      closing = true
      await pending?.catch(() => undefined)
    },
  }
}
