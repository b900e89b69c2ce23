import { z } from 'zod'
import type { Database } from '../../storage/database.ts'

const Row = z.object({ taskNo: z.int(), goal: z.number().nullable(), attack: z.number().nullable() })

/** What became of a task of a world with attacked tasks: means over its scored samples. */
export type AttackOutcome = z.infer<typeof Row>

/** Of one profile of a run, by task, with the latest values of two of its metrics. */
export function attackOutcomes(
  db: Database,
  runNo: number,
  profileNo: number,
  metrics: { readonly goal: number; readonly attack: number },
): AttackOutcome[] {
  const latest =
    '(select c.value from scores c where c.run_no = s.run_no and c.position = s.position and c.metric_no = ? order by c.version desc limit 1)'
  return db
    .prepare(
      `select taskNo, avg(goal) as goal, avg(attack) as attack from (
         select s.task_no as taskNo, ${latest} as goal, ${latest} as attack from samples s
         where s.run_no = ? and s.profile_no = ? and s.status = 'scored')
       group by taskNo order by taskNo`,
    )
    .all(metrics.goal, metrics.attack, runNo, profileNo)
    .map(row => Row.parse(row))
}
