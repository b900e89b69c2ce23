import type { Transferable } from 'node:worker_threads'
import { createThreads } from './threads.ts'

/** Work broke a limit: its thread was ended, and nothing else with it. */
export class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError'
  readonly limit: 'time' | 'memory'

  constructor(limit: 'time' | 'memory', most: string) {
    super(
      limit === 'time' ? `The work took longer than ${most} and was stopped.` : `The work needed more memory than ${most} and was stopped.`,
    )
    this.limit = limit
  }
}

export interface PoolBounds {
  /** Worker of the pool's tasks; null where each task names its own. */
  readonly filename: string | null
  readonly threads: number
  /** Milliseconds after which an unused thread ends. */
  readonly idleMs: number
  /** Milliseconds that a task may take in its thread, waiting for the thread left out; with `beats`, that may pass without one. */
  readonly deadlineMs: number
  /** Megabytes of JavaScript values that a thread may hold. */
  readonly heapMb: number
  readonly workerData?: Readonly<Record<string, unknown>>
}

export interface TaskOptions {
  readonly filename?: string
  /** Ends the task with its thread. */
  readonly signal?: AbortSignal | undefined
  /** Instead of the pool's. */
  readonly deadlineMs?: number
  readonly transferList?: Transferable[]
  /** Its first number changes as the task gets on; it is shared with the thread. */
  readonly beats?: Int32Array<SharedArrayBuffer>
}

/** The default export of a worker. */
export type Work = (task: never) => unknown

/** Threads whose work has a deadline and a limit of memory. What breaks one ends its thread, never the service. */
export interface BoundedPool {
  /**
   * Typed by the worker, as piscina's types are not: what it takes, and which of its answers this kind of task has.
   * @throws WorkLimitError where the task breaks a limit
   */
  run<W extends Work, Answer extends Awaited<ReturnType<W>> = Awaited<ReturnType<W>>>(
    task: Parameters<W>[0],
    options?: TaskOptions,
  ): Promise<Answer>
  /** Tasks that wait for a thread. */
  waiting(): number
  close(): Promise<void>
}

/** Bounds of a thread that reads a file of others: it hands over as it reads, so that silence of this length is a file that is too much. */
export const fileBounds = { threads: 1, idleMs: 1_000, deadlineMs: 5 * 60_000, heapMb: 2_048 }

/** What a thread throws away at once is little; by default each would set 48 MB aside for it. */
const maxYoungGenerationSizeMb = 4
/** A thread loads its modules before its first beat, on a busy machine for seconds. */
const startMs = 30_000
const watchMs = 200

export function createBoundedPool({ filename, threads, idleMs, deadlineMs, heapMb, workerData }: PoolBounds): BoundedPool {
  /** By what the tasks in the pool are ended. */
  const given = new Set<AbortController>()
  const pool = createThreads(
    {
      ...(filename !== null && { filename }),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb },
      ...(workerData && { workerData }),
    },
    error => given.forEach(ending => ending.abort(error)),
  )
  // Piscina gives no signal when a task leaves its queue, so the queue is here and piscina starts whatever it gets.
  const queue: (() => void)[] = []
  let running = 0
  const enter = (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (running < threads) {
      running++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(begin), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      queue.push(begin)
    })
  }
  const leave = () => {
    const next = queue.shift()
    if (next) next()
    else running--
  }

  return {
    run: async <Answer>(task: unknown, options: TaskOptions = {}): Promise<Answer> => {
      const { signal, beats, deadlineMs: mostMs = deadlineMs, transferList, filename: own } = options
      await enter(signal)
      const ending = new AbortController()
      given.add(ending)
      const watch = watchBeats(beats, mostMs, () => ending.abort(new WorkLimitError('time', `${mostMs / 1000} s`)))
      try {
        // The worker of the task gives this answer, as described above.
        return (await pool.run(task, {
          signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
          ...(own !== undefined && { filename: own }),
          ...(transferList && { transferList }),
        })) as Answer
      } catch (error) {
        if (signal?.aborted) throw error
        ending.signal.throwIfAborted()
        if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          throw new WorkLimitError('memory', `${heapMb} MB`)
        throw error
      } finally {
        clearInterval(watch)
        given.delete(ending)
        leave()
      }
    },
    waiting: () => queue.length,
    close: () => pool.destroy(),
  }
}

/**
 * Calls `end` once a deadline has passed since the last beat, or since the start. Looks are counted and not the clock: while the machine
 * sleeps or this process is stopped, the thread gets nothing done either.
 */
function watchBeats(beats: Int32Array<SharedArrayBuffer> | undefined, deadlineMs: number, end: () => void): NodeJS.Timeout {
  let last = 0
  let quietMs = 0
  return setInterval(() => {
    const now = beats ? Atomics.load(beats, 0) : 0
    quietMs = now === last ? quietMs + watchMs : 0
    last = now
    const most = beats && last === 0 ? deadlineMs + startMs : deadlineMs
    if (quietMs > most) end()
  }, watchMs)
}
