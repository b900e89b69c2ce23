import type { Agreement, Dataset, DatasetPatch, NewDataset } from '../../contract/datasets/datasets.schemas.ts'
import { invalidField } from '../../contract/errors.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type DatasetRow, type DatasetsQuery, insertDataset, listDatasets, readCounts, updateDataset } from './datasets.store.ts'
import type { Examples } from './examples.service.ts'

/** @param agreementOf how far annotators of a dataset agree */
export function createDatasetRecords(
  { db, ids, clock }: Pick<Kernel, 'db' | 'ids' | 'clock'>,
  examples: Examples,
  agreementOf: (dataset: DatasetRow) => Promise<Agreement | null>,
) {
  const describeWith = (row: DatasetRow, agreement: Agreement | null): Dataset => ({
    id: row.id,
    name: row.name,
    description: row.description,
    task: row.task,
    labels: row.menu === null ? null : [...row.menu],
    score_range: row.scoreRange === null ? null : [...row.scoreRange],
    archived: row.archived,
    ...readCounts(db, row),
    agreement,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  })
  const describe = async (row: DatasetRow): Promise<Dataset> => describeWith(row, await agreementOf(row))
  const read = (workspaceId: string, id: string): Promise<Dataset> => describe(examples.dataset(workspaceId, id))
  return {
    read,
    list: async (workspaceId: string, query: DatasetsQuery): Promise<{ items: Dataset[]; next_cursor: string | null }> => {
      const { items, next_cursor } = listDatasets(db, workspaceId, query)
      return { items: await Promise.all(items.map(describe)), next_cursor }
    },
    create: (workspaceId: string, dataset: NewDataset): Dataset => {
      const id = ids.next()
      insertDataset(db, workspaceId, id, dataset, timestamp(clock))
      return describeWith(examples.dataset(workspaceId, id), null)
    },
    update: (workspaceId: string, id: string, patch: DatasetPatch): Promise<Dataset> => {
      if (Object.keys(patch).length === 0) throw invalidField(['body'], 'names nothing to change; send name, description or archived')
      updateDataset(db, examples.dataset(workspaceId, id), patch, timestamp(clock))
      return read(workspaceId, id)
    },
  }
}
