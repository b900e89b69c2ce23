import { availableParallelism } from 'node:os'
import { createBoundedPool, WorkLimitError } from './bounded-pool.ts'
import type { TraceAnswer, TraceTask } from './trace-tasks.ts'

/** Reads pages of providers, OTLP requests and stored traces, away from the service's loop. */
export interface TraceWorkers {
  run<Task extends TraceTask>(task: Task, signal?: AbortSignal): Promise<TraceAnswer<Task['kind']>>
  /** Tasks that wait for a thread. */
  waiting(): number
}

/** What comes in has a thread of its own: what somebody asks of a stored trace never holds it up. */
const isIntake: ReadonlySet<TraceTask['kind']> = new Set(['otlp', 'page'])
/** Milliseconds for a page or a trace. */
const deadlineMs = 20_000

export function createTracePool(filename: string, databasePath: string): TraceWorkers & { close(): Promise<void> } {
  const bounds = { filename, idleMs: 30_000, deadlineMs, heapMb: 1_024, workerData: { databasePath } }
  const intake = createBoundedPool({ ...bounds, threads: Math.max(1, Math.min(2, availableParallelism() - 1)) })
  const reading = createBoundedPool({ ...bounds, threads: 1 })
  return {
    run: async (task, signal) => {
      try {
        return await (isIntake.has(task.kind) ? intake : reading).run(task, { signal })
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        return { ok: false, fault: 'limit', message: `It is too much to be read at once: ${error.message}` }
      }
    },
    waiting: () => intake.waiting(),
    close: async () => {
      await Promise.all([intake.close(), reading.close()])
    },
  }
}
