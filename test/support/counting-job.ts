import { z } from 'zod'
import type { JobContext } from '../../src/service/jobs/index.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Named } from './jobs.ts'

const Checkpoint = z.object({ row: z.int() }).nullable()

/** Writes rows 1 to 10, each together with its checkpoint; a row that is written twice fails. `pauseAt` is told and then waits for ever. */
export function countingJob(db: Database, pauseAt: number | null, paused: () => void) {
  return async (job: JobContext<Named>): Promise<void> => {
    for (let row = (Checkpoint.parse(job.checkpoint)?.row ?? 0) + 1; row <= 10; row++) {
      job.progress({ done: row, total: 10 })
      job.commit(
        () => {
          db.prepare('insert into settings (name, value) values (?, ?)').run(`row ${row}`, JSON.stringify(job.attempt))
        },
        { row },
      )
      if (row === pauseAt) {
        paused()
        await new Promise(() => {})
      }
    }
  }
}
