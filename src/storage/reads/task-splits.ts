import { z } from 'zod'
import type { Database } from '../database.ts'

const Row = z.object({ id: z.string(), split: z.string() })

/** Id and split of every task of a version, in order, without reading their content. */
export function* readTaskSplits(db: Database, versionNo: number): Generator<z.infer<typeof Row>> {
  for (const row of db.prepare('select task_id as id, split from tasks where version_no = ? order by position').iterate(versionNo))
    yield Row.parse(row)
}
