import { setImmediate as turn } from 'node:timers/promises'
import type { Kernel } from '../kernel.ts'
import { type ClosedDataset, closedDatasets, deleteSlice } from './dataset-deletion.store.ts'

export type DatasetDeletions = ReturnType<typeof createDatasetDeletions>

/** Deletes the rows of closed datasets in slices; what a stop interrupts, the next start ends. */
export function createDatasetDeletions({ db, log, storage }: Pick<Kernel, 'db' | 'log' | 'storage'>) {
  let isClosed = false
  let resuming: Promise<void> = Promise.resolve()
  const noteFailure = (error: unknown): void => {
    storage.note(error)
    log.warn({ err: error }, 'could not delete the rest of a dataset')
  }
  const remove = async (dataset: ClosedDataset): Promise<void> => {
    while (!isClosed && deleteSlice(db, dataset)) await turn()
  }
  const resume = async (): Promise<void> => {
    for (const dataset of closedDatasets(db)) await remove(dataset).catch(noteFailure)
  }
  return {
    remove,
    start: (): void => {
      resuming = resume().catch(noteFailure)
    },
    close: async (): Promise<void> => {
      isClosed = true
      await resuming
    },
  }
}
