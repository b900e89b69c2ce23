import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { isMediaPart, type MediaPart, partsOf } from '../../contract/messages/messages.schemas.ts'
import type { Task } from '../../engine/tasks/task.ts'
import type { Database } from '../../storage/database.ts'

/** Tasks read in one turn of the event loop. */
const chunk = 50
const Numbers = z.array(z.int())

/** Kinds of the files that a judge of the run’s answers is shown with one of them, each file, at most. */
export async function judgedFiles(
  db: Database,
  runNo: number,
  tasksOf: (numbers: readonly number[]) => readonly Task[],
): Promise<MediaPart['type'][]> {
  const most = { image: 0, audio: 0, document: 0 }
  const numbers = Numbers.parse(
    db
      .prepare(
        `select distinct s.task_no from samples s join tasks t on t.no = s.task_no
         where s.run_no = ? and s.status = 'scored' and exists (
           select 1 from json_each(t.shape, '$.parts') p where p.value like '%/image' or p.value like '%/audio' or p.value like '%/document'
         )`,
      )
      .pluck()
      .all(runNo),
  )
  for (let from = 0; from < numbers.length; from += chunk) {
    for (const { conversations, turns = [] } of tasksOf(numbers.slice(from, from + chunk))) {
      const messages = [...Object.values(conversations ?? {}).flat(), ...turns.map(content => ({ content }))]
      const parts = messages.flatMap(partsOf).filter(isMediaPart)
      for (const [kind, own] of Map.groupBy(parts, ({ type }) => type)) most[kind] = Math.max(most[kind], own.length)
    }
    await nextTurn()
  }
  return (['image', 'audio', 'document'] as const).flatMap(kind => Array.from({ length: most[kind] }, () => kind))
}
