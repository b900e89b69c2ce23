import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, notFound } from '../../contract/errors.ts'
import { jobMachine } from '../../contract/jobs/job.machine.ts'
import { type Job, jobCancelled, type JobKind, type JobProgress } from '../../contract/jobs/jobs.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import { guarded } from '../../lib/guarded.ts'
import { timestamp } from '../kernel.ts'
import { chooseNext } from './choose-next.ts'
import { type JobEnd, type JobFacts, JobFailure, type JobHandler, type JobsKernel, JobStoppedError, type NewJob } from './job-handler.ts'
import { type JobAttempt, startAttempt } from './job-attempt.ts'
import {
  claimJob,
  currentFence,
  findJob,
  finishJob,
  insertJob,
  type JobsQuery,
  latestJobOf,
  latestJobOfKind,
  listJobs,
  openJobs,
  requeueJob,
  restoredJobs,
  retryJob,
  runningJobs,
  type StoredJob,
  storeProgress,
  waitingJobs,
} from './jobs.store.ts'

/**
 * A job that was running when the service died this many times in a row without getting further is given up, since it may be the reason:
 * sooner where nothing else was running the last time.
 */
const mostDeaths = { alone: 2, inCompany: 5 }
/** Jobs that were running when the service died start one after another: each once the one before got further, ended or ran for so long. */
const probationMs = 60_000
/** From here on it is said that a job gets no further. */
const quietMs = 5 * 60_000
/** Between tries to store what the disk did not take. */
const storageRetryMs = 2_000

const unexpected = 'The job failed because of an error in Assay. The service log has the details under job'

const nothing = () => {}

/** The one queue of background work. */
export interface Jobs {
  /** Before `start`. */
  register<Input>(handler: JobHandler<Input>): void
  /** In the caller's transaction; the work begins after its commit. Answers the job's id. */
  enqueue(kind: JobKind, job: NewJob): string
  /** @throws ApiError not_found */
  read(workspaceId: string, id: string): Job
  list(workspaceId: string, query: JobsQuery): { items: Job[]; next_cursor: string | null }
  /**
   * At once: what the job does afterwards is not stored.
   * @throws ApiError not_found, illegal_transition, or what the handler's `ended` refuses with
   */
  cancel(workspaceId: string, id: string): Job
  /** Cancels what waits or runs in a workspace; resolves when none of its jobs runs. */
  cancelAll(workspaceId: string): Promise<void>
  /**
   * @param starterId session or key that asks
   * @throws ApiError not_found, illegal_transition, conflict for a kind that can't be retried, spend_ceiling_reached
   */
  retry(workspaceId: string, id: string, starterId: string): Job
  /** The newest job of a kind, or of several, that works on a record, which shows it as its own. */
  of(subject: NonNullable<Job['subject']>, kinds: readonly JobKind[]): Job | null
  /** Jobs of a kind that have not ended, of every workspace, oldest first. */
  open(kind: JobKind): Job[]
  /** The newest job of a kind. */
  latest(kind: JobKind): Job | null
  /**
   * Begins with what was running when the service stopped.
   * @param otherWork whether anything but jobs was running then, which may be why it died
   */
  start(otherWork?: () => boolean): void
  /** Stops what runs; the next start continues it. */
  close(): Promise<void>
}

type Outcome =
  | { readonly state: 'succeeded'; readonly last: () => void }
  | { readonly state: 'stopped' }
  | (JobEnd & { readonly last: () => void })

interface Lane {
  readonly concurrency: number
  readonly kinds: JobKind[]
  /** Order of the last turns, by workspace. */
  readonly turns: Map<string | null, number>
}

interface Active {
  readonly lane: Lane
  readonly attempt: JobAttempt
  readonly settled: Promise<void>
  /** It was running when the service died and has got no further since. */
  isSuspect: boolean
}

export function createJobs(kernel: JobsKernel): Jobs {
  const { db, ids, clock, log, storage } = kernel
  const handlers = new Map<JobKind, JobHandler<unknown>>()
  const lanes = new Map<string, Lane>()
  const active = new Map<string, Active>()
  const closing = new AbortController()
  let isStarted = false
  let isBusy = () => false
  let isRecovered = false
  let turn = 0
  let timer: NodeJS.Timeout | undefined

  const handlerOf = (kind: JobKind): JobHandler<unknown> => {
    const handler = handlers.get(kind)
    if (!handler) throw new Error(`No handler is registered for jobs of kind "${kind}".`)
    return handler
  }
  const liveProgress = (id: string, fence: number): JobProgress | null => {
    const attempt = active.get(id)?.attempt
    return attempt?.job.fence === fence ? attempt.latestProgress() : null
  }
  const pauseOf = (job: StoredJob): Job['pause'] => {
    const handler = job.state === 'running' && active.has(job.id) ? handlerOf(job.kind) : null
    return handler?.pause?.(factsOf(handler, job)) ?? null
  }
  const quietSince = ({ id, fence, state, started_at }: StoredJob): string | null => {
    if (state !== 'running') return null
    const attempt = active.get(id)?.attempt
    // One without an attempt has not moved since it began.
    const moved = attempt?.job.fence === fence ? new Date(attempt.movedAt()).toISOString() : started_at
    return moved === null || clock.now().getTime() - Date.parse(moved) < quietMs ? null : moved
  }
  /** Null also for the input of an earlier version that cannot be read. */
  const evaluatorOf = ({ kind, input }: StoredJob): string | null => {
    const handler = handlers.get(kind)
    const parsed = handler?.evaluator && handler.input.safeParse(input)
    return parsed?.success ? (handler?.evaluator?.(parsed.data) ?? null) : null
  }
  const toJob = (stored: StoredJob): Job => {
    const { input: _, checkpoint: __, interruptions: ___, stored: ____, fence, ...job } = stored
    const pause = pauseOf(stored)
    return {
      ...job,
      evaluator_version_id: evaluatorOf(stored),
      pause,
      quiet_since: pause === null ? quietSince(stored) : null,
      progress: liveProgress(job.id, fence) ?? job.progress,
      retryable: (job.state === 'failed' || job.state === 'cancelled') && handlers.get(job.kind)?.retried !== undefined,
    }
  }
  const shown = (job: StoredJob | null): Job | null => (job ? toJob(job) : null)
  const find = (workspaceId: string, id: string): StoredJob => {
    const job = findJob(db, id)
    if (!job || (job.workspace_id !== null && job.workspace_id !== workspaceId)) throw notFound('job', id)
    return job
  }
  const tellEnded = (job: StoredJob, { state, code, message }: JobEnd) => {
    const handler = handlerOf(job.kind)
    handler.ended?.(factsOf(handler, job), { state, code, message })
  }

  /** Stores how an attempt ended, unless the job was cancelled or taken over meanwhile. */
  const storeOutcome = ({ job }: JobAttempt, outcome: Outcome, progress: JobProgress | null) =>
    db.transaction(() => {
      if (currentFence(db, job.id) !== job.fence) return
      if (progress) storeProgress(db, job.id, progress)
      const now = timestamp(clock)
      if (outcome.state === 'stopped') return requeueJob(db, job.id, null, now)
      if (outcome.state === 'succeeded') {
        outcome.last()
        return finishJob(db, job.id, 'succeed', null, now)
      }
      outcome.last()
      finishJob(db, job.id, 'fail', outcome, now)
    })

  /** The job gets its end whatever is thrown: the disk is waited for, and a handler that fails in its last step fails the job. */
  const conclude = async (attempt: JobAttempt, first: Outcome) => {
    const { job } = attempt
    let outcome = first
    let progress = attempt.latestProgress()
    for (;;) {
      try {
        return storeOutcome(attempt, outcome, progress)
      } catch (error) {
        if (storage.note(error)) {
          await delay(storageRetryMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
          // What could not be stored is found running by the next start.
          if (closing.signal.aborted) return
        } else {
          log.error({ err: error, jobId: job.id, kind: job.kind }, 'the end of a job could not be stored')
          if (progress) progress = null
          else if (outcome.state === 'succeeded') outcome = failure(job, error)
          else if (outcome.state === 'failed' && outcome.last !== nothing) outcome = { ...outcome, last: nothing }
          else return
        }
      }
    }
  }
  /** With the last write that ends its record, too. */
  const failure = (job: StoredJob, thrown: unknown): Extract<Outcome, JobEnd> => {
    const error = storage.note(thrown) ?? thrown
    if (!(error instanceof ApiError)) log.error({ err: thrown, jobId: job.id, kind: job.kind }, 'a job failed')
    const end: JobEnd =
      error instanceof ApiError
        ? { state: 'failed', code: error.code, message: error.message }
        : { state: 'failed', code: 'internal_error', message: `${unexpected} "${job.id}".` }
    const last = () => {
      if (error instanceof JobFailure) error.last()
      tellEnded(job, end)
    }
    return { ...end, last }
  }

  const execute = async (attempt: JobAttempt) => {
    const { job } = attempt
    let outcome: Outcome
    try {
      const handler = handlerOf(job.kind)
      const last = await handler.run(attempt.contextOf(factsOf(handler, job)))
      outcome = attempt.signal.aborted && !last ? { state: 'stopped' } : { state: 'succeeded', last: last ?? nothing }
    } catch (error) {
      outcome = attempt.signal.aborted ? { state: 'stopped' } : failure(job, error)
    }
    await conclude(attempt, outcome)
  }
  const noteFault = (error: unknown) => log.error({ err: error }, 'the next job could not be started')
  const begin = (id: string, lane: Lane) => {
    claimJob(db, id, timestamp(clock))
    const job = findJob(db, id)
    if (!job) throw new Error(`The job "${id}" vanished while it was claimed.`)
    lane.turns.set(job.workspace_id, ++turn)
    const trust = () => {
      const entry = active.get(id)
      if (!entry?.isSuspect) return
      entry.isSuspect = false
      clearTimeout(probation)
      wake()
    }
    const isSuspect = job.interruptions > 0
    const attempt = startAttempt(kernel, job, () => {
      if (active.get(id)?.isSuspect && findJob(db, id)?.interruptions === 0) trust()
    })
    const probation = isSuspect ? setTimeout(guarded(trust, noteFault), probationMs).unref() : undefined
    // Never within the caller's stack.
    const settled = Promise.resolve()
      .then(() => execute(attempt))
      .finally(() => {
        clearTimeout(probation)
        active.delete(id)
        wake()
      })
    active.set(id, { lane, attempt, settled, isSuspect })
  }
  const fill = (lane: Lane) => {
    const busy = () => [...active.values()].filter(other => other.lane === lane)
    while (busy().length < lane.concurrency) {
      const withSuspects = ![...active.values()].some(({ isSuspect }) => isSuspect)
      const next = chooseNext(waitingJobs(db, lane.kinds, [...active.keys()], withSuspects), {
        running: workspaceId => busy().filter(({ attempt }) => attempt.job.workspace_id === workspaceId).length,
        lastTurn: workspaceId => lane.turns.get(workspaceId) ?? 0,
      })
      if (!next) return
      begin(next.id, lane)
    }
  }
  /** Jobs running at a crash resume, except one that may have caused it. */
  const recover = () =>
    db.transaction(() => {
      for (const job of restoredJobs(db)) {
        finishJob(db, job.id, 'cancel', endOfRestored, timestamp(clock))
        tellEnded(job, endOfRestored)
      }
      const running = runningJobs(db)
      const most = running.length === 1 && !isBusy() ? mostDeaths.alone : mostDeaths.inCompany
      for (const job of running) {
        const handler = handlers.get(job.kind)
        const stored = handler?.stored?.(factsOf(handler, job)) ?? 0
        const interruptions = (stored > job.stored ? 0 : job.interruptions) + 1
        if (interruptions < most) requeueJob(db, job.id, { interruptions, stored }, timestamp(clock))
        else giveUp(job, interruptions)
      }
    })
  const giveUp = (job: StoredJob, deaths: number) => {
    const again = handlerOf(job.kind).retried ? 'Retry it' : 'Start it again'
    const message = `The service ended ${deaths} times in a row while this job was running, and the job got no further, so it was stopped. ${again} if something else ended the service.`
    const end: JobEnd = { state: 'failed', code: 'internal_error', message }
    try {
      tellEnded(job, end)
    } catch (error) {
      log.error({ err: error, jobId: job.id, kind: job.kind }, 'the record of a job could not be ended')
    }
    finishJob(db, job.id, 'fail', end, timestamp(clock))
  }
  const wake = () => {
    if (!isStarted || closing.signal.aborted) return
    try {
      if (!isRecovered) recover()
      isRecovered = true
      for (const lane of lanes.values()) fill(lane)
    } catch (error) {
      if (!storage.note(error)) noteFault(error)
      clearTimeout(timer)
      timer = setTimeout(wake, storageRetryMs).unref()
    }
  }

  const cancel: Jobs['cancel'] = (workspaceId, id) =>
    db.transaction(() => {
      const job = find(workspaceId, id)
      const end: JobEnd = { state: 'cancelled', code: 'cancelled', message: jobCancelled }
      finishJob(db, id, 'cancel', end, timestamp(clock))
      tellEnded(job, end)
      db.afterCommit(() => active.get(id)?.attempt.stop(new JobStoppedError(jobCancelled)))
      return toJob(find(workspaceId, id))
    })

  return {
    register: handler => {
      if (isStarted || handlers.has(handler.kind)) throw new Error(`The handler of "${handler.kind}" is registered late or twice.`)
      const lane: Lane = lanes.get(handler.lane) ?? { concurrency: handler.concurrency, kinds: [], turns: new Map() }
      if (lane.concurrency !== handler.concurrency) throw new Error(`The handlers of the lane "${handler.lane}" differ in concurrency.`)
      lane.kinds.push(handler.kind)
      lanes.set(handler.lane, lane)
      handlers.set(handler.kind, handler)
    },
    enqueue: (kind, job) => {
      handlerOf(kind).input.parse(job.input)
      const id = ids.next()
      db.transaction(() => {
        insertJob(db, id, kind, job, timestamp(clock))
        db.afterCommit(wake)
      })
      return id
    },
    read: (workspaceId, id) => toJob(find(workspaceId, id)),
    list: (workspaceId, query) => {
      const { items, next_cursor } = listJobs(db, workspaceId, query)
      return { items: items.map(toJob), next_cursor }
    },
    cancel,
    cancelAll: async workspaceId => {
      const working = [...active.values()].filter(({ attempt }) => attempt.job.workspace_id === workspaceId)
      const open = (['running', 'queued'] as const).flatMap(state => listJobs(db, workspaceId, { state, limit: 1000 }).items)
      for (const { id } of open.filter(job => job.workspace_id === workspaceId)) {
        try {
          cancel(workspaceId, id)
        } catch (error) {
          // One that may not be cancelled, such as a deletion, is waited for.
          if (!(error instanceof ApiError)) throw error
        }
      }
      await Promise.all(working.map(({ settled }) => settled))
    },
    retry: (workspaceId, id, starterId) =>
      db.transaction(() => {
        const job = find(workspaceId, id)
        const handler = handlerOf(job.kind)
        if (isTerminal(jobMachine, job.state) && job.state !== 'succeeded' && !handler.retried)
          throw new ApiError('conflict', `Jobs of kind "${job.kind}" can't be retried. Start a new one instead.`)
        retryJob(db, id, timestamp(clock))
        handler.retried?.(factsOf(handler, job), starterId)
        db.afterCommit(wake)
        return toJob(find(workspaceId, id))
      }),
    of: (subject, kinds) => shown(latestJobOf(db, subject, kinds)),
    open: kind => openJobs(db, kind).map(toJob),
    latest: kind => shown(latestJobOfKind(db, kind)),
    start: (otherWork = () => false) => {
      isStarted = true
      isBusy = otherWork
      wake()
    },
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      for (const { attempt } of active.values()) attempt.stop(new JobStoppedError('The service is stopping.'))
      await Promise.all([...active.values()].map(({ settled }) => settled))
    },
  }
}

const endOfRestored: JobEnd = {
  state: 'cancelled',
  code: 'cancelled',
  message: 'The job had ended when a backup was restored in which it was under way. Retry it to go on.',
}

/** @throws ZodError when the stored input is not the handler's */
function factsOf<Input>(handler: JobHandler<Input>, job: StoredJob): JobFacts<Input> {
  const { id, workspace_id, owner, subject, attempt } = job
  return { id, workspaceId: workspace_id, owner, subject, attempt, input: handler.input.parse(job.input) }
}
