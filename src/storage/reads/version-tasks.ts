import { z } from 'zod'
import type { Database } from '../database.ts'
import { decodeTask, type StoredTask } from '../task-content.ts'

const Content = z.object({ content: z.instanceof(Uint8Array) })

/** All tasks of a version in their order. */
export function readVersionTasks(db: Database, versionNo: number): StoredTask[] {
  return db
    .prepare('select content from tasks where version_no = ? order by position')
    .all(versionNo)
    .map(row => decodeTask(Content.parse(row).content))
}
