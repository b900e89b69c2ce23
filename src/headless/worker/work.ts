import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJobQueue } from '../../service/workers/job-queue.ts'
import { createCodePool } from '../../workers/code-pool.ts'
import { workerFile } from '../../workers/worker-file.ts'
import { complain, print } from '../print.ts'
import { connectRemote } from './remote-service.ts'
import { runWorker } from './run-worker.ts'
import type { WorkerOptions } from './worker-options.ts'

/** `assay worker`: an engine without a database file. */
export async function work(options: WorkerOptions): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const cache = mkdtempSync(join(tmpdir(), 'assay-worker-'))
  const code = createCodePool({ filename: workerFile('code.worker'), sandboxCache: cache })
  try {
    const service = await connectRemote(options.join, options.key)
    const queue = await openJobQueue({
      url: options.queue,
      role: 'worker',
      onError: error => complain(`The queue failed: ${error instanceof Error ? error.message : String(error)}`),
    })
    try {
      const { python, javascript } = (await code.sandbox()).chosen
      const sandboxes = [python, javascript].filter(sandbox => sandbox !== null)
      const grade = async ({ metrics, inputs }: Parameters<Parameters<typeof runWorker>[0]['grade']>[0]) => {
        const rows = await code.grade(
          metrics.map((metric, i) => ({ ...metric, id: String(i), primary: i === 0 })),
          inputs.map(({ choices, metadata, ...input }) => ({ ...input, ...(choices && { choices }), ...(metadata && { metadata }) })),
        )
        return rows.map(row => row.map(score => ({ ...score, ...(score.values && { values: { ...score.values } }) })))
      }
      await runWorker({ service, queue, grade, sandboxes, log: print }, options, stop.signal)
    } finally {
      await queue.close()
    }
  } finally {
    await code.close()
    rmSync(cache, { recursive: true, force: true })
  }
}
