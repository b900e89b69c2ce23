import { z } from 'zod'
import { sampleMachine } from '../../contract/runs/sample.machine.ts'
import type { Database } from '../database.ts'
import { copyIntoPart, withoutScore } from './part-samples.store.ts'

/** Which samples a run was frozen with. */
export type FrozenSamples =
  | { readonly kind: 'tasks'; readonly taskNumbers: readonly (readonly number[])[]; readonly epochs: number }
  /** Every sample without a score of the run that it is a part of. */
  | { readonly kind: 'failed'; readonly of: number }
  /** Made when the part was, or with the answers that were imported. */
  | { readonly kind: 'chosen' }

/** Creates a run's samples in batches; resumable. */
export interface SampleFiller {
  /** Looks at up to `limit` places, in one transaction; answers how many there were. 0: all samples are there. */
  fill(limit: number): number
}

const PartRow = z.object({ position: z.int() })

export function createSampleFiller(db: Database, runNo: number, frozen: FrozenSamples): SampleFiller {
  switch (frozen.kind) {
    case 'tasks':
      return fillFromTasks(db, runNo, frozen.taskNumbers, frozen.epochs)
    case 'failed':
      return fillFromFailed(db, runNo, frozen.of)
    case 'chosen':
      return { fill: () => 0 }
  }
}

/** Epochs of one task are adjacent. */
function fillFromTasks(db: Database, runNo: number, taskNumbers: readonly (readonly number[])[], epochs: number): SampleFiller {
  const insert = db.prepare(
    `insert into samples (run_no, position, profile_no, task_no, epoch, status) values (?, ?, ?, ?, ?, '${sampleMachine.initial}')`,
  )
  const last =
    db.first(
      db.sql
        .selectFrom('samples')
        .select(e => e.fn.max<number | null>('position').as('position'))
        .where('run_no', '=', runNo),
    )?.position ?? null
  let next = last === null ? 0 : last + 1
  const sampleAt = (position: number) => {
    let index = Math.floor(position / epochs)
    for (const [profileNo, tasks] of taskNumbers.entries()) {
      const taskNo = tasks[index]
      if (taskNo !== undefined) return { profileNo, taskNo, epoch: (position % epochs) + 1 }
      index -= tasks.length
    }
    return null
  }
  return {
    fill: limit => {
      const first = next
      // Only when it is durable: what was rolled back is made again.
      next = db.transaction(() => {
        let position = first
        for (; position < first + limit; position++) {
          const sample = sampleAt(position)
          if (!sample) break
          insert.run(runNo, position, sample.profileNo, sample.taskNo, sample.epoch)
        }
        return position
      })
      return next - first
    },
  }
}

/**
 * In the order of the run, whatever the status: samples are claimed while the later ones are still being made, and never before one that is
 * claimed.
 */
function fillFromFailed(db: Database, runNo: number, of: number): SampleFiller {
  // By the index of samples without a score, a few rows of each status.
  const ofStatus = withoutScore.map(
    status =>
      `select * from (select position from samples where run_no = @of and status = '${status}' and position > @after order by position limit @limit)`,
  )
  const select = db.prepare(`${ofStatus.join(' union all ')} order by position limit @limit`)
  let after = -1
  return {
    fill: limit => {
      const positions = db.transaction(() => {
        const found = select.all({ of, after, limit }).map(row => PartRow.parse(row).position)
        copyIntoPart(db, runNo, of, found)
        return found
      })
      after = positions.at(-1) ?? after
      return positions.length
    },
  }
}
