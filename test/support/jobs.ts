import { pino } from 'pino'
import { z } from 'zod'
import type { JobKind } from '../../src/contract/jobs/jobs.schemas.ts'
import { type Clock, idsFrom } from '../../src/service/kernel.ts'
import { createJobs, type JobHandler, type Jobs, type JobsKernel } from '../../src/service/jobs/index.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { movingClock, type MovingClock } from './moving-clock.ts'

export const workspaces = ['019aa000-0000-7000-8000-00000000000a', '019aa000-0000-7000-8000-00000000000b'] as const

const healthy: JobsKernel['storage'] = { note: () => null, attempt: write => write() }

/** The job mechanism on a database that is there. */
export function jobsFor(db: Database, clock: Clock, storage: JobsKernel['storage'] = healthy): Jobs {
  return createJobs({
    db,
    clock,
    ids: idsFrom(clock),
    log: pino({ level: 'silent' }),
    storage,
  })
}

/** The job mechanism on a database of its own, with two workspaces. */
export interface JobsBench {
  readonly db: Database
  readonly jobs: Jobs
  readonly clock: MovingClock
}

export function jobsOn(path = ':memory:'): JobsBench {
  const clock = movingClock()
  const db = openDatabase(path)
  migrate(db, clock.now())
  for (const id of workspaces)
    db.prepare('insert or ignore into workspaces (id, name, created_at) values (?, ?, ?)').run(id, 'W', clock.now().toISOString())
  const jobs = jobsFor(db, clock)
  return { db, jobs, clock }
}

export const Named = z.strictObject({ name: z.string() })
export type Named = z.infer<typeof Named>

/** A handler that takes a name; what a test does not give does nothing. */
export function handlerOf(kind: JobKind, parts: Partial<JobHandler<Named>> & Pick<JobHandler<Named>, 'run'>): JobHandler<Named> {
  return { kind, input: Named, lane: kind, concurrency: 1, ...parts }
}
