import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, notFound, type WorkerBatch, type WorkerOutcomeBody } from '../../contract/index.ts'
import type { Commit } from '../../engine/execution/scheduler/ports.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'

/** Milliseconds that a worker waits for its outcome to be durable before it asks again. */
const longestWaitMs = 30_000

/** No worker will do it: the service does it itself. */
export class UndeliverableError extends Error {
  override readonly name = 'UndeliverableError'
}

export interface NewBatch {
  readonly workspaceId: string
  /** Of PostgreSQL. */
  readonly queue: string
  readonly runNo: number
  /** Of the samples that the inputs are of, in their order. */
  readonly positions: readonly number[]
  readonly content: Omit<WorkerBatch, 'batch_id'>
}

/** Who holds a batch. A later attempt at its job supersedes it. */
export interface BatchHolder {
  readonly workspaceId: string
  readonly workerId: string
  readonly attempt: number
}

type Scores = readonly (readonly Score[])[]

interface Batch extends NewBatch {
  readonly id: string
  readonly since: number
  holder: BatchHolder | null
  isReported: boolean
  readonly unstored: Set<number>
  readonly outcome: PromiseWithResolvers<Scores>
  /** Resolves once everything of it is durable. */
  readonly stored: PromiseWithResolvers<void>
}

/** Work that is with workers, or waits for one. It lives in memory: after a restart the stored answers are graded anew. */
export interface Batches {
  /** Resolves with what a worker reported. @throws UndeliverableError */
  add(id: string, batch: NewBatch): Promise<Scores>
  /** Hands a batch out. @throws ApiError not_found, or conflict when a later attempt holds it */
  take(id: string, holder: BatchHolder): WorkerBatch
  /** Resolves with the number of samples once they are durable. @throws ApiError not_found, conflict, or unavailable where that takes long */
  report(id: string, holder: BatchHolder, scores: WorkerOutcomeBody['scores'], accepted: (batch: NewBatch) => void): Promise<number>
  /** Something of a run was committed. */
  committed(runNo: number, commit: Pick<Commit, 'scores'>): void
  /** Ids of batches of a queue whose outcome has not come. */
  open(queue: string): readonly { readonly id: string; readonly holder: BatchHolder | null; readonly since: number }[]
  queues(): readonly string[]
  /** Nobody will do them any more; what is reported for them late is refused. */
  giveUp(ids: readonly string[], reason: string): void
}

/** @param now milliseconds that only grow */
export function createBatches(now: () => number): Batches {
  const batches = new Map<string, Batch>()
  const find = (id: string, { workspaceId }: BatchHolder): Batch => {
    const batch = batches.get(id)
    if (batch?.workspaceId !== workspaceId) throw notFound('batch', id)
    return batch
  }
  return {
    add: (id, batch) => {
      const outcome = Promise.withResolvers<Scores>()
      batches.set(id, {
        ...batch,
        id,
        since: now(),
        holder: null,
        isReported: false,
        unstored: new Set(batch.positions),
        outcome,
        stored: Promise.withResolvers(),
      })
      return outcome.promise
    },
    take: (id, holder) => {
      const batch = find(id, holder)
      if (batch.isReported || (batch.holder && !isSame(batch.holder, holder) && batch.holder.attempt >= holder.attempt))
        throw superseded(id, holder)
      batch.holder = holder
      return { batch_id: id, ...batch.content }
    },
    report: async (id, holder, scores, accepted) => {
      const batch = find(id, holder)
      if (!batch.holder || !isSame(batch.holder, holder)) throw superseded(id, holder)
      if (!batch.isReported) {
        assertComplete(batch, scores)
        accepted(batch)
        batch.isReported = true
        batch.outcome.resolve(scores.map(row => row.map(toScore)))
      }
      const stop = new AbortController()
      const late = delay(longestWaitMs, true, { signal: stop.signal, ref: false }).catch(() => false)
      const isLate = await Promise.race([batch.stored.promise.then(() => false), late])
      stop.abort()
      if (isLate)
        throw new ApiError('unavailable', 'The scores are not stored yet. Report the outcome again.', { headers: { 'retry-after': '1' } })
      return batch.positions.length
    },
    committed: (runNo, { scores }) => {
      if (batches.size === 0) return
      for (const batch of batches.values()) {
        if (!batch.isReported || batch.runNo !== runNo) continue
        for (const { position } of scores) batch.unstored.delete(position)
        if (batch.unstored.size > 0) continue
        batches.delete(batch.id)
        batch.stored.resolve()
      }
    },
    open: queue =>
      [...batches.values()]
        .filter(batch => batch.queue === queue && !batch.isReported)
        .map(({ id, holder, since }) => ({ id, holder, since })),
    queues: () => [...new Set([...batches.values()].map(({ queue }) => queue))],
    giveUp: (ids, reason) => {
      for (const id of ids) {
        const batch = batches.get(id)
        if (!batch || batch.isReported) continue
        batches.delete(id)
        batch.outcome.reject(new UndeliverableError(reason))
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

/** @throws ApiError validation_error */
function assertComplete({ content: { inputs, metrics } }: NewBatch, scores: WorkerOutcomeBody['scores']): void {
  if (scores.length === inputs.length && scores.every(row => row.length === metrics.length)) return
  const msg = `must have ${inputs.length} rows of ${metrics.length} scores`
  throw new ApiError('validation_error', `scores ${msg}`, { detail: [{ loc: ['body', 'scores'], msg, type: 'value_error' }] })
}

/** Optional fields that are absent stay absent. */
function toScore({ values, label, ...score }: WorkerOutcomeBody['scores'][number][number]): Score {
  return { ...score, ...(values === undefined ? {} : { values }), ...(label === undefined ? {} : { label }) }
}
