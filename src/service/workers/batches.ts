import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, notFound, type WorkerBatch, type WorkerOutcome } from '../../contract/index.ts'
import type { Commit } from '../../engine/execution/scheduler/ports.ts'

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

/** Work without the id that it gets. */
export type BatchContent = WorkerBatch extends infer Kind ? (Kind extends WorkerBatch ? Omit<Kind, 'batch_id'> : never) : never

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

interface Batch extends NewBatch {
  readonly id: string
  readonly since: number
  holder: BatchHolder | null
  isReported: boolean
  readonly unstored: Set<number>
  readonly outcome: PromiseWithResolvers<WorkerOutcome>
  /** Resolves once everything of it is durable. */
  readonly stored: PromiseWithResolvers<void>
}

/** Work that is with workers, or waits for one. It lives in memory: after a restart the stored answers are graded anew. */
export interface Batches {
  /** Resolves with what a worker reported. @throws UndeliverableError */
  add(id: string, batch: NewBatch): Promise<WorkerOutcome>
  /** Hands a batch out. @throws ApiError not_found, or conflict when a later attempt holds it */
  take(id: string, holder: BatchHolder): WorkerBatch
  /** Resolves once the outcome is durable; `accepted` is called for the first report of it. @throws ApiError not_found, conflict, or unavailable where that takes long */
  report(id: string, holder: BatchHolder, outcome: WorkerOutcome, accepted: (batch: NewBatch) => void): Promise<void>
  /** Something of a run was committed. */
  committed(runNo: number, commit: Pick<Commit, 'scores'>): void
  /** Ids of batches of a queue whose outcome has not come. */
  open(queue: string): readonly { readonly id: string; readonly holder: BatchHolder | null; readonly since: number }[]
  queues(): readonly string[]
  /** Takes a batch back that no worker has; false where one has it or had it. */
  recall(id: string): boolean
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
  const finish = (batch: Batch) => {
    batches.delete(batch.id)
    batch.stored.resolve()
  }
  return {
    add: (id, batch) => {
      const outcome = Promise.withResolvers<WorkerOutcome>()
      batches.set(id, {
        ...batch,
        id,
        since: now(),
        holder: null,
        isReported: false,
        unstored: new Set(batch.samples?.positions),
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
      return { ...batch.content, batch_id: id }
    },
    report: async (id, holder, outcome, accepted) => {
      const batch = find(id, holder)
      if (!batch.holder || !isSame(batch.holder, holder)) throw superseded(id, holder)
      if (!batch.isReported) {
        assertFits(batch.content, outcome)
        accepted(batch)
        batch.isReported = true
        batch.outcome.resolve(outcome)
        if (batch.unstored.size === 0) finish(batch)
      }
      const stop = new AbortController()
      const late = delay(longestWaitMs, true, { signal: stop.signal, ref: false }).catch(() => false)
      const isLate = await Promise.race([batch.stored.promise.then(() => false), late])
      stop.abort()
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
    open: queue =>
      [...batches.values()]
        .filter(batch => batch.queue === queue && !batch.isReported)
        .map(({ id, holder, since }) => ({ id, holder, since })),
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

/** @throws ApiError validation_error */
function assertFits(content: BatchContent, outcome: WorkerOutcome): void {
  const msg = misfit(content, outcome)
  if (msg) throw new ApiError('validation_error', `outcome ${msg}`, { detail: [{ loc: ['body', 'outcome'], msg, type: 'value_error' }] })
}

function misfit(content: BatchContent, outcome: WorkerOutcome): string | null {
  if (content.kind !== outcome.kind) return `must be of the kind "${content.kind}"`
  if (content.kind !== 'grade' || outcome.kind !== 'grade') return null
  const [rows, columns] = [content.inputs.length, content.metrics.length]
  const fits = outcome.scores.length === rows && outcome.scores.every(row => row.length === columns)
  return fits ? null : `must have ${rows} rows of ${columns} scores`
}
