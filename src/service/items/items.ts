import type { Kernel } from '../kernel.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import { createDatasetDeletions } from './dataset-deletions.ts'
import type { RunsChangeDependencies } from './change-runs.ts'
import { itemsHandlers } from './items.handlers.ts'
import { matchingRunsHandlers } from './matching-runs.handlers.ts'
import { matchingTracesHandlers } from './matching-traces.handlers.ts'

interface ItemsDependencies extends RunsChangeDependencies {
  readonly traceWorkers: TraceWorkers
}

/** What every list can do with its items: archive, move, delete, and change all that match a filter. */
export function createItems(kernel: Kernel, { traceWorkers, ...dependencies }: ItemsDependencies) {
  const deletions = createDatasetDeletions(kernel)
  return {
    /** People tidy up where a full disk keeps the catalog from being stored. */
    handlers: itemsHandlers(kernel, deletions),
    /** Of lists that name benchmarks. */
    matching: {
      ...matchingRunsHandlers(kernel, dependencies),
      ...matchingTracesHandlers(kernel, traceWorkers),
    },
    start: deletions.start,
    close: deletions.close,
  }
}
