import { availableParallelism } from 'node:os'
import { createBoundedPool, WorkLimitError } from './bounded-pool.ts'
import type { TraceAnswer, TraceTask } from './trace-tasks.ts'
import type workOnTraces from './traces.worker.ts'

/** Reads pages of providers, OTLP requests and stored traces, away from the service's loop. */
export interface TraceWorkers {
  run<Task extends TraceTask>(task: Task, signal?: AbortSignal): Promise<TraceAnswer<Task['kind']>>
  /** Tasks that wait for a thread. */
  waiting(): number
}

type Lane = 'intake' | 'reading' | 'searching'
/** What comes in has threads of its own, as no question about stored traces may hold it up; nor does a search hold up the opening of one. */
const laneOf: Readonly<Record<TraceTask['kind'], Lane>> = {
  otlp: 'intake',
  page: 'intake',
  items: 'intake',
  describe: 'reading',
  examples: 'reading',
  find: 'searching',
}
/** Milliseconds for a page or a trace. */
const deadlineMs = 20_000

export function createTracePool(filename: string, databasePath: string): TraceWorkers & { close(): Promise<void> } {
  const bounds = { filename, idleMs: 30_000, deadlineMs, heapMb: 1_024, workerData: { databasePath } }
  const intake = createBoundedPool({ ...bounds, threads: Math.max(1, Math.min(2, availableParallelism() - 1)) })
  const lanes = { intake, reading: createBoundedPool({ ...bounds, threads: 1 }), searching: createBoundedPool({ ...bounds, threads: 1 }) }
  return {
    run: async <Task extends TraceTask>(task: Task, signal?: AbortSignal): Promise<TraceAnswer<Task['kind']>> => {
      try {
        return await lanes[laneOf[task.kind]].run<typeof workOnTraces, TraceAnswer<Task['kind']>>(task, { signal })
      } catch (error) {
        if (!(error instanceof WorkLimitError)) throw error
        return { ok: false, fault: 'limit', message: `It is too much to be read at once: ${error.message}` }
      }
    },
    waiting: () => intake.waiting(),
    close: async () => {
      await Promise.all(Object.values(lanes).map(lane => lane.close()))
    },
  }
}
