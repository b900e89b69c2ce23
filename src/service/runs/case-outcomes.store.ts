import { z } from 'zod'
import type { Database } from '../../storage/database.ts'

const Row = z.object({ position: z.int(), value: z.number().nullable(), latencyMs: z.number().nullable(), cost: z.number() })

/** What became of one sample. */
export type CaseOutcomeRow = z.infer<typeof Row>

/** The first samples of a run by position, with the latest value of one metric and the micro-USD of all their calls. */
export function caseOutcomes(db: Database, runNo: number, metricNo: number, count: number): CaseOutcomeRow[] {
  return db
    .prepare(
      `select s.position,
       case when s.status = 'scored' then (select c.value from scores c where c.run_no = s.run_no and c.position = s.position and c.metric_no = ? order by c.version desc limit 1) end as value,
       case when s.status = 'scored' then s.latency_ms end as latencyMs,
       (select coalesce(sum(a.charged_microusd + a.billed_microusd), 0) from attempts a where a.run_no = s.run_no and a.position = s.position) as cost
       from samples s where s.run_no = ? and s.position < ? order by s.position`,
    )
    .all(metricNo, runNo, count)
    .map(row => Row.parse(row))
}

/** Ids of the tasks that a run froze, each once, in its order. */
export function frozenTaskIds(db: Database, runNo: number): string[] {
  const rows = db.all(
    db.sql
      .selectFrom('samples')
      .innerJoin('tasks', 'tasks.no', 'samples.task_no')
      .select('tasks.task_id')
      .where('samples.run_no', '=', runNo)
      .orderBy('samples.position'),
  )
  return [...new Set(rows.map(row => row.task_id))]
}

/** Numbers of the tasks that have a scored sample. */
export function scoredTasks(db: Database, runNo: number): ReadonlySet<number> {
  const rows = db.all(db.sql.selectFrom('samples').select('task_no').distinct().where('run_no', '=', runNo).where('status', '=', 'scored'))
  return new Set(rows.map(row => row.task_no))
}
