import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { samplePosition } from '../../storage/sample-id.ts'

const Place = z.object({ position: z.int() })

/** Places of a run's samples of these tasks, at most `most`. */
export function placesOfTasks(db: Database, runNo: number, taskIds: readonly string[], most: number): number[] {
  const query = db.prepare(
    `select s.position from samples s join tasks t on t.no = s.task_no
     where s.run_no = ? and t.task_id in (select value from json_each(?)) order by s.position limit ?`,
  )
  return query.all(runNo, JSON.stringify(taskIds), most).map(row => Place.parse(row).position)
}

/** The run that a sample's id belongs to, and the sample's place in it; null when the workspace has none. */
export function findRunOfSample(
  db: Database,
  workspaceId: string,
  sampleId: string,
): { readonly runId: string; readonly profileNo: number } | null {
  const prefix = sampleId.toLowerCase().slice(0, 28)
  const runs = db.all(
    db.sql
      .selectFrom('runs')
      .select(['no', 'id'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '>=', `${prefix}00000000`)
      .where('id', '<=', `${prefix}ffffffff`),
  )
  for (const run of runs) {
    const position = samplePosition(run.id, sampleId)
    if (position === null) continue
    const sample = db.first(db.sql.selectFrom('samples').select('profile_no').where('run_no', '=', run.no).where('position', '=', position))
    if (sample) return { runId: run.id, profileNo: sample.profile_no }
  }
  return null
}
