import { LRUCache } from 'lru-cache'
import type { Agreement } from '../../contract/index.ts'
import type { Workers } from '../../workers/pool.ts'
import type { DatasetRow } from './datasets.store.ts'

/** Agreement of annotators, computed in a thread once for every state of a dataset's labels. */
export function createAgreements(workers: Pick<Workers, 'datasets'>): (dataset: DatasetRow) => Promise<Agreement | null> {
  const known = new LRUCache<string, Promise<Agreement | null>>({ max: 1000 })
  return ({ no, task, labelChanges }) => {
    if (labelChanges === 0) return Promise.resolve(null)
    const key = `${no} ${labelChanges}`
    const cached = known.get(key)
    if (cached) return cached
    const computed = workers.datasets({ kind: 'agreement', datasetNo: no, task })
    known.set(key, computed)
    computed.catch(() => known.delete(key))
    return computed
  }
}
