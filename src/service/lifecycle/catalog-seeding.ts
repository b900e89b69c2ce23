import { setImmediate } from 'node:timers/promises'
import type { Kernel } from '../kernel.ts'

/** What ships with Assay on its way into the database. */
export interface CatalogSeeding {
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
 * @param steps each all or nothing
 */
export function seedCatalog({ log }: Pick<Kernel, 'log'>, steps: readonly (() => void)[]): CatalogSeeding {
  const left = [...steps]
  let closing = false
  let underWay: Promise<void> | null = null
  const takeAll = async () => {
    try {
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
    if (underWay || left.length === 0) return underWay
    underWay = takeAll()
    // There may be no waiter.
    underWay.catch(() => undefined)
    return underWay
  }
  void pending()
  return {
    pending,
    close: async () => {
      closing = true
      await underWay?.catch(() => undefined)
    },
  }
}
