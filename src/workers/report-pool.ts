import { MessageChannel } from 'node:worker_threads'
import type { BoundedPool } from './bounded-pool.ts'
import type { ExportDone } from './export-file.ts'
import type writeReport from './report.worker.ts'
import type { ReportTask } from './report.worker.ts'

/** Follows the writing of an export. */
export interface ReportWatch {
  /** Ends the writing at once, with its thread. */
  readonly signal: AbortSignal
  /** @param done samples read so far */
  progress(done: number): void
}

/** Writes an export of a run on a thread of the pool. */
export async function runReport(pool: BoundedPool, filename: string, task: ReportTask, watch?: ReportWatch): Promise<ExportDone> {
  if (!watch) return pool.run<typeof writeReport>(task, { filename })
  const { port1, port2 } = new MessageChannel()
  const beats = new Int32Array(new SharedArrayBuffer(4))
  port1.on('message', (done: number) => {
    Atomics.add(beats, 0, 1)
    watch.progress(done)
  })
  try {
    return await pool.run<typeof writeReport>(
      { ...task, progress: port2 },
      { filename, transferList: [port2], signal: watch.signal, beats },
    )
  } finally {
    port1.close()
  }
}
