import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, notFound } from '../../contract/errors.ts'
import type { WorkerBatch, WorkerOutcome } from '../../contract/workers/workers.schemas.ts'
import type { Commit } from '../../engine/execution/scheduler/ports.ts'
import { assertOutcome } from './assert-outcome.ts'
import { type BatchContent, longestHoldMs } from './hold-limit.ts'

/** Milliseconds that a worker waits for its outcome to be durable before it asks again. */
const longestWaitMs = 30_000

/** No worker will do it: the service does it itself. */
export class UndeliverableError extends Error {
  override readonly name = 'UndeliverableError'
  /** A worker took it, so that a call may have been made. */
  readonly wasTaken: boolean

  constructor(message: string, wasTaken: boolean) {
    super(message)
    this.wasTaken = wasTaken
  }
}

export interface NewBatch {
  readonly workspaceId: string
  /** Of PostgreSQL. */
  readonly queue: string
  readonly content: BatchContent
  /** Whose scores it makes; null for a call, which is the run's own to store. */
  readonly samples: { readonly runNo: number; readonly positions: readonly number[] } | null
}

/** Who holds a batch. A later attempt at its job supersedes it. */
export interface BatchHolder {
  readonly workspaceId: string
  readonly workerId: string
  readonly attempt: number
}

/** A batch whose outcome has not come. */
export interface OpenBatch {
  readonly id: string
  readonly holder: BatchHolder | null
  readonly since: number
  /** Its holders have had all the time that such work can take. */
  readonly isOverdue: boolean
}

interface Batch extends NewBatch {
  readonly id: string
  readonly since: number
  holder: BatchHolder | null
  /** When the first holder took it; a later one gets no more time. */
  takenAt: number | null
  isReported: boolean
  readonly unstored: Set<number>
  readonly outcome: PromiseWithResolvers<WorkerOutcome>
  /** Resolves once everything of it is durable. */
  readonly stored: PromiseWithResolvers<void>
}

/** Work that is with workers, or waits for one. It lives in memory: after a restart the stored answers are graded again. */
export interface Batches {
  /** Resolves with what a worker reported. @throws UndeliverableError */
  add(id: string, batch: NewBatch): Promise<WorkerOutcome>
  /** Hands a batch out. @throws ApiError not_found, or conflict when a later attempt holds it; what `mayTake` throws */
  take(id: string, holder: BatchHolder, mayTake: (batch: NewBatch) => void): WorkerBatch
  /** What a worker holds. @throws ApiError not_found for what it does not */
  held(id: string, holder: Pick<BatchHolder, 'workspaceId' | 'workerId'>): BatchContent
  /** Resolves once the outcome is durable; `accepted` is called for the first report of it. @throws ApiError not_found, conflict, or unavailable where that takes long */
  report(id: string, holder: BatchHolder, outcome: WorkerOutcome, accepted: (batch: NewBatch) => void): Promise<void>
  /** Something of a run was committed. */
  committed(runNo: number, commit: Pick<Commit, 'scores'>): void
  /** A run is no longer executed, so that nothing more of it is stored. */
  over(runNo: number): void
  open(queue: string): readonly OpenBatch[]
  queues(): readonly string[]
  /** Batches that a worker has and has not reported. */
  heldBy(workerId: string): readonly string[]
  /** Takes a batch back that no worker has; false where one has it or had it. */
  recall(id: string): boolean
  /** They will not be done; what is reported for them late is refused. */
  giveUp(ids: readonly string[], reason: string): void
}

/** @param now milliseconds that only grow */
export function createBatches(now: () => number): Batches {
  const batches = new Map<string, Batch>()
  const find = (id: string, { workspaceId }: Pick<BatchHolder, 'workspaceId'>): Batch => {
    const batch = batches.get(id)
    if (batch?.workspaceId !== workspaceId) throw notFound('batch', id)
    return batch
  }
  const finish = (batch: Batch) => {
    batches.delete(batch.id)
    batch.stored.resolve()
  }
  return {
    add: (id, batch) => {
      const outcome = Promise.withResolvers<WorkerOutcome>()
      const stored = Promise.withResolvers<void>()
      // It may reject before a report waits for it.
      stored.promise.catch(() => undefined)
      batches.set(id, {
        ...batch,
        id,
        since: now(),
        holder: null,
        takenAt: null,
        isReported: false,
        unstored: new Set(batch.samples?.positions),
        outcome,
        stored,
      })
      return outcome.promise
    },
    take: (id, holder, mayTake) => {
      const batch = find(id, holder)
      mayTake(batch)
      if (batch.isReported || (batch.holder && !isSame(batch.holder, holder) && batch.holder.attempt >= holder.attempt))
        throw superseded(id, holder)
      batch.holder = holder
      batch.takenAt ??= now()
      return { ...batch.content, batch_id: id }
    },
    held: (id, { workspaceId, workerId }) => {
      const batch = find(id, { workspaceId })
      if (batch.holder?.workerId !== workerId) throw notFound('batch', id)
      return batch.content
    },
    report: async (id, holder, outcome, accepted) => {
      const batch = find(id, holder)
      if (!batch.holder || !isSame(batch.holder, holder)) throw superseded(id, holder)
      if (!batch.isReported) {
        assertOutcome(batch.content, outcome)
        accepted(batch)
        batch.isReported = true
        batch.outcome.resolve(outcome)
        if (batch.unstored.size === 0) finish(batch)
      }
      const stop = new AbortController()
      const late = delay(longestWaitMs, true, { signal: stop.signal, ref: false }).catch(() => false)
      const isLate = await Promise.race([batch.stored.promise.then(() => false), late]).finally(() => stop.abort())
      if (isLate)
        throw new ApiError('unavailable', 'The scores are not stored yet. Report the outcome again.', { headers: { 'retry-after': '1' } })
    },
    committed: (runNo, { scores }) => {
      if (batches.size === 0) return
      for (const batch of batches.values()) {
        if (!batch.isReported || batch.samples?.runNo !== runNo) continue
        for (const { position } of scores) batch.unstored.delete(position)
        if (batch.unstored.size > 0) continue
        finish(batch)
      }
    },
    over: runNo => {
      for (const batch of batches.values()) {
        if (batch.samples?.runNo !== runNo) continue
        batches.delete(batch.id)
        batch.outcome.reject(new UndeliverableError('Its run is over.', batch.holder !== null))
        batch.stored.reject(
          new ApiError('conflict', `The run of the batch "${batch.id}" ended without its scores. Drop it and take the next job.`),
        )
      }
    },
    open: queue =>
      [...batches.values()]
        .filter(batch => batch.queue === queue && !batch.isReported)
        .map(({ id, holder, since, takenAt, content }) => ({
          id,
          holder,
          since,
          isOverdue: takenAt !== null && now() - takenAt > longestHoldMs(content),
        })),
    heldBy: workerId =>
      [...batches.values()].flatMap(({ id, holder, isReported }) => (holder?.workerId === workerId && !isReported ? [id] : [])),
    queues: () => [...new Set([...batches.values()].map(({ queue }) => queue))],
    recall: id => {
      const batch = batches.get(id)
      if (!batch || batch.holder) return false
      return batches.delete(id)
    },
    giveUp: (ids, reason) => {
      for (const id of ids) {
        const batch = batches.get(id)
        if (!batch || batch.isReported) continue
        batches.delete(id)
        batch.outcome.reject(new UndeliverableError(reason, batch.holder !== null))
      }
    },
  }
}

function isSame(one: BatchHolder, other: BatchHolder): boolean {
  return one.workerId === other.workerId && one.attempt === other.attempt
}

function superseded(id: string, { attempt }: BatchHolder): ApiError {
  return new ApiError('conflict', `Attempt ${attempt} no longer holds the batch "${id}". Drop it and take the next job.`)
}
