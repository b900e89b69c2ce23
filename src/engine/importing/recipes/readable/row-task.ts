import type { Row } from '../../files/row.ts'
import type { Task } from '../../../tasks/task.ts'

type Frame = Pick<Task, 'id' | 'split' | 'choices' | 'dependsOn'>

/** What tasks of most data sets share: an id made from its place in the file, for data sets that have none, the test split, an open answer. */
export function rowTask(prefix: string, row: Row): Frame {
  return { id: `${prefix}-${String(row.position).padStart(4, '0')}`, split: 'test', choices: null, dependsOn: [] }
}
