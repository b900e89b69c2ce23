import { z } from 'zod'
import { targetChoice } from '../../lib/target-text.ts'
import type { Database } from '../database.ts'
import { decodeTask } from '../task-content.ts'

const TaskHead = z.object({ no: z.int(), task_id: z.string(), preview: z.string(), content: z.instanceof(Uint8Array) })

/** Beginnings of tasks and their first targets, with the choices that these name, by number. */
export function taskHeads(db: Database, numbers: readonly number[]) {
  const rows = db
    .prepare('select no, task_id, preview, content from tasks where no in (select value from json_each(?))')
    .all(JSON.stringify(numbers))
  return new Map(
    rows.map(row => {
      const { no, content, ...head } = TaskHead.parse(row)
      const task = decodeTask(content)
      return [no, { ...head, target: task.targets[0] ?? null, choice: targetChoice(task) }] as const
    }),
  )
}
