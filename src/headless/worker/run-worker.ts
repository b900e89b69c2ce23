import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../contract/client.ts'
import type { SandboxRecord } from '../../contract/runs/results.schemas.ts'
import type { WorkerBatch, WorkerLease, WorkerOutcome } from '../../contract/workers/workers.schemas.ts'
import { buildVersion } from '../../service/workers/build-version.ts'
import { type HeldJob, type JobQueue, leaseSeconds, renewMs } from '../../service/workers/job-queue.ts'
import type { TrafficCount } from './count-traffic.ts'
import type { Caller } from './make-calls.ts'
import type { RemoteService } from './remote-service.ts'
import type { WorkerOptions } from './worker-options.ts'
import { messageOf } from '../../lib/message-of.ts'

/** Milliseconds between looks at empty queues. */
const idleMs = 250
/** Milliseconds until a request to a service that did not answer is repeated. */
const repeatMs = 1_000
/** Milliseconds by this machine's clock after which an unrenewed lease is taken for lost: before the service gives the job away. */
const lapseMs = (leaseSeconds - 1) * 1000

export interface WorkerParts {
  readonly service: RemoteService
  readonly queue: JobQueue
  /** Does the work of a batch. @param lost ends a call */
  readonly execute: (batch: WorkerBatch, lost: AbortSignal) => Promise<WorkerOutcome>
  readonly sandboxes: readonly SandboxRecord[]
  readonly keys: Pick<Caller, 'publicKey' | 'receive'>
  readonly traffic: Pick<TrafficCount, 'counted' | 'settle'>
  readonly log: (line: string) => void
}

interface Held {
  readonly queue: string
  readonly job: HeldJob
  /** The lease has lapsed: another worker has the job, or may have it. */
  readonly lost: AbortController
  renewedAt: number
}

/**
 * Works for a service until drained or stopped: takes jobs from the queue and what they are about from the service, and completes a job
 * after the service has said that the outcome is durable.
 * @param stop finish what is held, take nothing more, leave
 * @throws ServiceError when the service refuses the worker
 */
export async function runWorker(
  { service, queue, execute, sandboxes, keys, traffic, log }: WorkerParts,
  { name, labels, slots }: Pick<WorkerOptions, 'name' | 'labels' | 'slots'>,
  stop: AbortSignal,
): Promise<void> {
  const worker_id = randomUUID()
  const held = new Map<string, Held>()
  const ended = new AbortController()
  let busy = 0
  let refusal: unknown = null
  let draining = false
  /** When the service last said which keys are shared with this worker, and whether it has none of them now. */
  let heardAt = performance.now()
  let isCutOff = false
  let wake = Promise.withResolvers<void>()
  const notify = () => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  stop.addEventListener('abort', notify)

  const report = async (): Promise<WorkerLease> => {
    const exchanged = traffic.counted()
    const machine = { name, labels: [...labels], slots, busy, version: buildVersion(), sandboxes: [...sandboxes] }
    const body = { ...machine, public_key: keys.publicKey, traffic: [...exchanged] }
    const answer = await service.call('reportWorker', { params: { worker_id }, body })
    traffic.settle(exchanged)
    heardAt = performance.now()
    isCutOff = false
    try {
      await keys.receive(worker_id, answer.keys)
    } catch (error) {
      isCutOff = true
      throw error
    }
    if (answer.worker.status === 'draining' && !draining) {
      draining = true
      log('Draining: no more batches are taken.')
      notify()
    }
    return answer
  }
  /** Repeats a request while the service does not answer; undefined once the job is another's. */
  const persist = async <Result>(lost: AbortSignal, request: () => Promise<Result>): Promise<Result | undefined> => {
    while (!lost.aborted && !ended.signal.aborted) {
      try {
        return await request()
      } catch (error) {
        if (error instanceof ServiceError && error.status < 500 && error.status !== 429) {
          if (error.status === 404 || error.status === 409) return undefined
          throw error
        }
        await delay(repeatMs, undefined, { signal: lost }).catch(() => undefined)
      }
    }
    return undefined
  }
  const work = async ({ queue: from, job, lost }: Held): Promise<void> => {
    const params = { worker_id, batch_id: job.id }
    const { attempt } = job
    const outcome = await executeOne(lost.signal, params, attempt)
    if (!outcome) {
      log(dropped(job))
      // Another may take it, unless the job is another's already: then this changes nothing.
      return queue.fail(from, job)
    }
    const say = () => service.call('reportBatch', { params, body: { attempt, outcome } })
    // The service waits for a call that it has cancelled, so that it knows what was sent.
    const receipt = lost.signal.aborted ? await say().catch(() => undefined) : await persist(lost.signal, say)
    if (!receipt) log(dropped(job))
    await queue.complete(from, job)
  }
  /** The slot is free once the work is done; storing is the service's work. */
  const executeOne = async (lost: AbortSignal, params: { worker_id: string; batch_id: string }, attempt: number) => {
    busy++
    try {
      const batch = await persist(lost, () => service.call('takeBatch', { params, body: { attempt } }))
      if (batch && isCutOff) await persist(lost, report)
      return batch && (await execute(batch, lost))
    } finally {
      busy--
      notify()
    }
  }
  const begin = (from: string, job: HeldJob) => {
    const one: Held = { queue: from, job, lost: new AbortController(), renewedAt: performance.now() }
    held.set(job.id, one)
    void work(one)
      .catch(async (error: unknown) => {
        log(`Batch ${job.id} failed: ${describe(error)}`)
        await queue.fail(from, job)
      })
      .catch((error: unknown) => log(`The queue failed: ${describe(error)}`))
      .finally(() => {
        held.delete(job.id)
        notify()
      })
  }
  const renew = async () => {
    for (const [from = '', jobs = []] of Map.groupBy(held.values(), one => one.queue)) {
      const kept = await queue.renew(
        from,
        jobs.map(({ job }) => job),
      )
      for (const one of jobs) {
        if (kept.has(one.job.id)) one.renewedAt = performance.now()
        else one.lost.abort()
      }
    }
  }

  let lease = await report()
  log(`Joined as "${name}" with ${slots} slots for ${labels.join(', ')}.`)
  const beat = every(lease.heartbeat_seconds * 1000, ended.signal, async () => {
    try {
      lease = await report()
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500 && error.status !== 429) {
        refusal = error
        notify()
      } else log(`The heartbeat failed: ${describe(error)}`)
    }
  })
  const renewal = every(renewMs, ended.signal, () => renew().catch((error: unknown) => log(`The queue failed: ${describe(error)}`)))
  // A link that is down says nothing about the lease, and a heartbeat without an answer nothing about a key that was withdrawn.
  const lapses = every(repeatMs, ended.signal, async () => {
    for (const { renewedAt, lost } of held.values()) if (performance.now() - renewedAt > lapseMs) lost.abort()
    if (isCutOff || performance.now() - heardAt <= lapseMs) return
    isCutOff = true
    await keys.receive(worker_id, []).catch((error: unknown) => log(`A client could not be closed: ${describe(error)}`))
  })
  try {
    for (;;) {
      const isEnding = stop.aborted || draining
      if (refusal !== null || (isEnding && held.size === 0)) break
      let taken = 0
      if (!isEnding) {
        for (const { name: from } of lease.queues) {
          const room = slots - busy
          const jobs = room > 0 ? await queue.fetch(from, room).catch(failed(log)) : []
          for (const job of jobs) begin(from, job)
          taken += jobs.length
        }
      }
      if (taken === 0) await Promise.race([wake.promise, delay(isEnding || busy >= slots ? repeatMs : idleMs)])
    }
    if (refusal !== null) throw refusal
    // With what was exchanged since the last one.
    await report().catch((error: unknown) => log(`The last heartbeat failed: ${describe(error)}`))
    await service.call('leaveWorker', { params: { worker_id } }).catch((error: unknown) => log(`Leaving failed: ${describe(error)}`))
  } finally {
    ended.abort()
    await Promise.all([beat, renewal, lapses])
  }
}

/** Repeats something until the signal, one after another. */
async function every(ms: number, end: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (;;) {
    await delay(ms, undefined, { signal: end }).catch(() => undefined)
    if (end.aborted) return
    await work()
  }
}

function failed(log: (line: string) => void) {
  return (error: unknown): HeldJob[] => {
    log(`The queue failed: ${describe(error)}`)
    return []
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${messageOf(error)}${cause}`
}

function dropped({ id }: HeldJob): string {
  return `Batch ${id} was given to another worker or is no longer needed.`
}
