import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { TraceAnswer, TraceTask } from './trace-tasks.ts'

/** Reads pages of providers, OTLP requests and stored traces, away from the service's loop. */
export interface TraceWorkers {
  run<Task extends TraceTask>(task: Task, signal?: AbortSignal): Promise<TraceAnswer<Task['kind']>>
  /** Tasks that wait for a thread. */
  waiting(): number
}

export function createTracePool(filename: string, databasePath: string): TraceWorkers & { close(): Promise<void> } {
  const pool = new Piscina({
    filename,
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(2, availableParallelism() - 1)),
    idleTimeout: 30_000,
    workerData: { databasePath },
    // A hostile page ends the thread and not the service.
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  return {
    // The worker answers each kind of task with its own kind of answer.
    run: (task, signal) => pool.run(task, signal ? { signal } : {}),
    waiting: () => pool.queueSize,
    close: () => pool.destroy(),
  }
}
