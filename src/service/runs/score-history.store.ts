import { z } from 'zod'
import type { Database } from '../../storage/database.ts'

const Row = z.tuple([z.int(), z.number()])

/** The latest values of one metric of a run's scored samples, with the number of the task. */
export function scoredValues(db: Database, runNo: number, profileNo: number, metricNo: number): z.infer<typeof Row>[] {
  return db
    .prepare(
      `select s.task_no, (select c.value from scores c where c.run_no = s.run_no and c.position = s.position and c.metric_no = ?
         order by c.version desc limit 1) as value
       from samples s where s.run_no = ? and s.profile_no = ? and s.status = 'scored' and value is not null`,
    )
    .raw()
    .all(metricNo, runNo, profileNo)
    .map(row => Row.parse(row))
}
