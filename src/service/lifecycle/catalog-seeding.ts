import { setImmediate } from 'node:timers/promises'
import type { Kernel } from '../kernel.ts'

/** What ships with Assay on its way into the database. */
export interface CatalogSeeding {
  start(): void
  /**
   * Resolves when everything is there; null when it is. Rejects with what the database said when it could not be written: who asks after
   * that has it tried again.
   */
  pending(): Promise<void> | null
  /** Takes no further step, and waits for the one at hand. */
  close(): Promise<void>
}

/**
 * Stores what ships with the product and is missing, one step after another: some tenths of a second at the first start on a folder, for
 * which the service need not keep silent. If interrupted, the next start continues.
 * @param missing what is not there yet, each step all or nothing; looked up once, after the service listens
 */
export function seedCatalog({ log }: Pick<Kernel, 'log'>, missing: () => (() => void)[]): CatalogSeeding {
  let left: (() => void)[] | undefined
  let closing = false
  let underWay: Promise<void> | null = null
  const takeAll = async () => {
    try {
      await setImmediate()
      if (closing) return
      left ??= missing()
      for (let step = left[0]; step; step = left[0]) {
        await setImmediate()
        if (closing) return
        step()
        left.shift()
      }
    } catch (error) {
      log.error({ err: error }, 'what ships with Assay could not be stored')
      throw error
    } finally {
      underWay = null
    }
  }
  const pending = (): Promise<void> | null => {
    if (underWay || left?.length === 0) return underWay
    underWay = takeAll()
    // There may be no waiter.
    underWay.catch(() => undefined)
    return underWay
  }
  return {
    start: () => void pending(),
    pending,
    close: async () => {
      closing = true
      await underWay?.catch(() => undefined)
    },
  }
}
