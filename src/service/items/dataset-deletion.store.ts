import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { deleteItem } from './items.store.ts'

/** Examples deleted in one transaction, which takes some milliseconds: the service answers others between two. */
const slice = 100

/** Hides a dataset with its versions from everything, for good, in the transaction that has found nothing resting on it. */
export function closeDataset(db: Database, id: string): void {
  db.prepare('update datasets set deleting = 1 where id = ?').run(id)
}

const Closed = z.array(z.object({ workspaceId: z.string(), id: z.string() }))

export type ClosedDataset = z.infer<typeof Closed>[number]

/** Those whose rows are still there. */
export function closedDatasets(db: Database): ClosedDataset[] {
  return Closed.parse(db.prepare('select workspace_id as workspaceId, id from datasets where deleting = 1').all())
}

/** Deletes some examples of a closed dataset with their places in versions, or, once there are none, what is left. Answers whether anything is. */
export function deleteSlice(db: Database, { workspaceId, id }: ClosedDataset): boolean {
  return db.transaction(() => {
    // In no order: the slice is found without a look at the rest.
    const found = db
      .prepare(`select no from dataset_examples where dataset_no = (select no from datasets where id = ?) limit ${slice}`)
      .pluck()
      .all(id)
    if (found.length === 0) {
      deleteItem(db, workspaceId, 'dataset', id)
      return false
    }
    const rows = JSON.stringify(found)
    const next = '(select value from json_each(?))'
    for (const statement of [
      `delete from dataset_version_examples where example_no in ${next}`,
      `delete from dataset_labels where example_no in ${next}`,
      `delete from dataset_verifications where example_no in ${next}`,
      `delete from dataset_revisions where example_no in ${next}`,
      `delete from dataset_search where rowid in ${next}`,
      `delete from dataset_examples where no in ${next}`,
    ])
      db.prepare(statement).run(rows)
    return true
  })
}
