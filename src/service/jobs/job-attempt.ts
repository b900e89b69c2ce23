import type { JobProgress } from '../../contract/jobs/jobs.schemas.ts'
import { type JobContext, type JobFacts, type JobsKernel, JobStoppedError } from './job-handler.ts'
import { currentFence, type StoredJob, storeCheckpoint, storeProgress } from './jobs.store.ts'

/** Progress is stored at most this often; readers see the latest. */
const storeEveryMs = 1_000

/** One claim of a job, from its start to its end. */
export interface JobAttempt {
  readonly job: StoredJob
  readonly signal: AbortSignal
  /** What the handler is given. */
  contextOf<Input>(facts: JobFacts<Input>): JobContext<Input>
  latestProgress(): JobProgress | null
  /** Milliseconds since 1970 at which it last reported something new or stored something. */
  movedAt(): number
  stop(reason: JobStoppedError): void
}

/** @param committed called after each commit of what may have got further */
export function startAttempt(
  { db, clock, storage }: Pick<JobsKernel, 'db' | 'clock' | 'storage'>,
  job: StoredJob,
  committed: () => void,
): JobAttempt {
  const stopping = new AbortController()
  const { signal } = stopping
  let { checkpoint, progress } = job
  let storedAt = clock.now().getTime()
  let movedAt = storedAt
  return {
    job,
    signal,
    latestProgress: () => progress,
    movedAt: () => movedAt,
    stop: reason => stopping.abort(reason),
    contextOf: facts => ({
      ...facts,
      signal,
      get checkpoint() {
        return checkpoint
      },
      progress: ({ done, total, message = null }) => {
        if (signal.aborted) return
        const latest: JobProgress = { done, total, message }
        const now = clock.now().getTime()
        if (latest.done !== progress?.done || latest.total !== progress.total || latest.message !== progress.message) movedAt = now
        progress = latest
        if (Math.abs(now - storedAt) < storeEveryMs) return
        storedAt = now
        storage.attempt(() => storeProgress(db, job.id, latest))
        committed()
      },
      commit: (write, saved) =>
        db.transaction(() => {
          signal.throwIfAborted()
          if (currentFence(db, job.id) !== job.fence) throw new JobStoppedError(`The job "${job.id}" is no longer this attempt's.`)
          const result = write()
          if (saved !== undefined) {
            storeCheckpoint(db, job.id, saved)
            db.afterCommit(() => (checkpoint = saved))
          }
          if (progress) storeProgress(db, job.id, progress)
          db.afterCommit(() => {
            movedAt = clock.now().getTime()
            committed()
          })
          return result
        }),
    }),
  }
}
