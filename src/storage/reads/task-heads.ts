import { z } from 'zod'
import { targetText } from '../../lib/target-text.ts'
import type { Database } from '../database.ts'
import { decodeTask } from '../task-content.ts'

const TaskHead = z.object({ no: z.int(), task_id: z.string(), preview: z.string(), content: z.instanceof(Uint8Array) })

/** Beginnings of tasks and their first targets, by number. */
export function taskHeads(db: Database, numbers: readonly number[]) {
  const rows = db
    .prepare('select no, task_id, preview, content from tasks where no in (select value from json_each(?))')
    .all(JSON.stringify(numbers))
  return new Map(
    rows.map(row => {
      const { no, content, ...head } = TaskHead.parse(row)
      return [no, { ...head, target: targetText(decodeTask(content)) }] as const
    }),
  )
}
