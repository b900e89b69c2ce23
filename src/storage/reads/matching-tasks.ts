import { z } from 'zod'
import { matchesText, type TextQuery } from '../../lib/text-query.ts'
import type { Database } from '../database.ts'

const Row = z.object({ position: z.int(), task_id: z.string(), preview: z.string() })

/** Positions of the tasks of a version whose id or preview matches, ascending, by reading every one: the rest of a task is not listed. */
export function matchingTasks(db: Database, versionNo: number, query: TextQuery): number[] {
  const rows = db.prepare('select position, task_id, preview from tasks where version_no = ? order by position').iterate(versionNo)
  const found: number[] = []
  for (const row of rows) {
    const { position, task_id, preview } = Row.parse(row)
    if (matchesText(query, [task_id, preview])) found.push(position)
  }
  return found
}
