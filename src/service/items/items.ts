import type { Kernel } from '../kernel.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import { annotationsHandlers, createAnnotations } from '../annotations/index.ts'
import { createRetention, retentionHandlers } from '../retention/index.ts'
import type { Runs } from '../runs/index.ts'
import { createDatasetDeletions } from './dataset-deletions.ts'
import { itemsHandlers } from './items.handlers.ts'
import { matchingRunsHandlers } from './matching-runs.handlers.ts'
import { matchingTracesHandlers } from './matching-traces.handlers.ts'

interface ItemsDependencies {
  readonly runs: Runs
  readonly traceWorkers: TraceWorkers
}

/** What every list can do with its items: annotate, archive, move, delete, keep for a time, and change all that match a filter. */
export function createItems(kernel: Kernel, { traceWorkers, runs }: ItemsDependencies) {
  const annotations = createAnnotations(kernel, { runs })
  const retention = createRetention(kernel)
  const deletions = createDatasetDeletions(kernel)
  return {
    /** People tidy up where a full disk keeps the catalog from being stored. */
    handlers: { ...itemsHandlers(kernel, deletions), ...retentionHandlers(retention) },
    /** Of lists that name benchmarks. */
    matching: {
      ...annotationsHandlers(annotations),
      ...matchingRunsHandlers(kernel, { runs, annotations }),
      ...matchingTracesHandlers(kernel, traceWorkers),
    },
    start: () => {
      retention.start()
      deletions.start()
    },
    close: async () => {
      await deletions.close()
      await retention.close()
    },
  }
}
