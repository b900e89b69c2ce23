import { LRUCache } from 'lru-cache'
import type { Agreement } from '../../contract/datasets/datasets.schemas.ts'
import type { Workers } from '../../workers/pool.ts'
import type { DatasetRow } from './datasets.store.ts'

/** Datasets whose agreement is remembered: those that were looked at last. */
const mostRemembered = 1000

/** Agreement of annotators, computed in a thread once for every state of a dataset's labels. */
export function createAgreements(workers: Pick<Workers, 'datasets'>): (dataset: DatasetRow) => Promise<Agreement | null> {
  const known = new LRUCache<number, { readonly labelChanges: number; readonly agreement: Promise<Agreement | null> }>({
    max: mostRemembered,
  })
  return ({ no, task, labelChanges }) => {
    if (labelChanges === 0) return Promise.resolve(null)
    const remembered = known.get(no)
    if (remembered?.labelChanges === labelChanges) return remembered.agreement
    const agreement = workers.datasets({ kind: 'agreement', datasetNo: no, task })
    known.set(no, { labelChanges, agreement })
    // Failures are not cached.
    agreement.catch(() => known.delete(no))
    return agreement
  }
}
