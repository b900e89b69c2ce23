import type { Kernel } from '../kernel.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import type { AnnotationsService } from '../annotations/index.ts'
import type { Runs } from '../runs/index.ts'
import { createDatasetDeletions } from './dataset-deletions.ts'
import { itemsHandlers } from './items.handlers.ts'
import { matchingRunsHandlers } from './matching-runs.handlers.ts'
import { matchingTracesHandlers } from './matching-traces.handlers.ts'

interface ItemsDependencies {
  readonly runs: Runs
  readonly annotations: AnnotationsService
  readonly traceWorkers: TraceWorkers
}

/** What every list can do with its items: archive, move, delete, and change all that match a filter. */
export function createItems(kernel: Kernel, { runs, annotations, traceWorkers }: ItemsDependencies) {
  const deletions = createDatasetDeletions(kernel)
  return {
    /** People tidy up where a full disk keeps the catalog from being stored. */
    handlers: itemsHandlers(kernel, deletions),
    /** Of lists that name benchmarks. */
    matching: { ...matchingRunsHandlers(kernel, { runs, annotations }), ...matchingTracesHandlers(kernel, traceWorkers) },
    start: deletions.start,
    close: deletions.close,
  }
}
