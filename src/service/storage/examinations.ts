import { z } from 'zod'
import type { Job, JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { StorageUse } from '../../contract/storage/storage.schemas.ts'
import type { Workers } from '../../workers/pool.ts'
import { atIntervals } from '../background.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { readExamination, writeExamination } from './storage.store.ts'

const hour = 3600 * 1000
const week = 7 * 24 * hour

/** How often to look whether one is due, in milliseconds: a laptop sleeps through timers that are set for next week. */
const lookEvery = 5 * 60 * 1000

export interface Examinations {
  latest(): StorageUse['examination']
  job(): Job | null
  isRunning(): boolean
  /** Begins one unless one is under way. */
  begin(owner: JobOwner): void
  /** Looks from now on whether one is due. */
  start(): void
  close(): void
}

/** Reads the whole database once a week, as a job: damage that is found late has spread into the backups. */
export function createExaminations(
  { db, clock, log, storage }: Pick<Kernel, 'db' | 'clock' | 'log'> & { readonly storage: Pick<Kernel['storage'], 'noteDamage'> },
  workers: Pick<Workers, 'examinePages'>,
  jobs: Jobs,
): Examinations {
  jobs.register({
    kind: 'database_examination',
    input: z.strictObject({}),
    lane: 'database-examinations',
    concurrency: 1,
    run: async ({ signal }) => {
      const faults = await workers.examinePages({ path: db.path }, signal)
      if (faults.length > 0) {
        log.error({ faults }, 'the database is damaged')
        storage.noteDamage()
      }
      return () => writeExamination(db, { at: timestamp(clock), faults })
    },
    retried: () => {},
  })
  const begin = (owner: JobOwner) =>
    db.transaction(() => {
      if (jobs.open('database_examination').length === 0)
        jobs.enqueue('database_examination', { workspaceId: null, owner, input: {}, subject: null })
    })
  const isLongAgo = (at: string | null | undefined, ms: number) => !at || clock.now().getTime() - Date.parse(at) >= ms
  const beginIfDue = () => {
    // One that failed is not tried at every look.
    if (isLongAgo(readExamination(db)?.at, week) && isLongAgo(jobs.latest('database_examination')?.finished_at, hour))
      begin({ kind: 'service' })
  }
  return {
    latest: () => readExamination(db),
    job: () => jobs.latest('database_examination'),
    isRunning: () => jobs.open('database_examination').length > 0,
    begin,
    ...atIntervals(log, lookEvery, beginIfDue, 'could not look whether an examination is due'),
  }
}
