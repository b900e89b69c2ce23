import { TaskShape } from '../../engine/tasks/task-shape.ts'
import type { Database } from '../../storage/database.ts'

const atOnce = 500

/** Shapes of the tasks that are more than one question in plain text. */
export function findShapes(db: Database, tasks: readonly number[]): TaskShape[] {
  const found: TaskShape[] = []
  for (let from = 0; from < tasks.length; from += atOnce) {
    const rows = db.all(
      db.sql
        .selectFrom('tasks')
        .select('shape')
        .where('no', 'in', tasks.slice(from, from + atOnce))
        .where('shape', 'is not', null),
    )
    for (const { shape } of rows) if (shape !== null) found.push(TaskShape.parse(JSON.parse(shape)))
  }
  return found
}
