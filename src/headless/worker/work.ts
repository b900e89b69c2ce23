import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GradeBatch, WorkerOutcome } from '../../contract/workers/workers.schemas.ts'
import { openJobQueue } from '../../service/workers/job-queue.ts'
import { type CodePool, createCodePool } from '../../workers/code-pool.ts'
import { workerFile } from '../../workers/worker-file.ts'
import { complain, print } from '../print.ts'
import { createTrafficCount } from './count-traffic.ts'
import { createCaller } from './make-calls.ts'
import { connectRemote } from './remote-service.ts'
import { runWorker, type WorkerParts } from './run-worker.ts'
import type { WorkerOptions } from './worker-options.ts'
import { messageOf } from '../../lib/message-of.ts'

/** `assay worker`: an engine without a database file. */
export async function work(options: WorkerOptions): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const cache = mkdtempSync(join(tmpdir(), 'assay-worker-'))
  const code = createCodePool({
    filename: workerFile('code.worker'),
    sandboxCache: cache,
    tell: error => complain(`A sandbox was not cleared: ${messageOf(error)}`),
  })
  try {
    const service = await connectRemote(options.join, options.key)
    const queue = await openJobQueue({
      url: options.queue,
      role: 'worker',
      onError: error => complain(`The queue failed: ${messageOf(error)}`),
    })
    try {
      const { python, javascript } = (await code.sandbox()).chosen
      const sandboxes = [python, javascript].filter(sandbox => sandbox !== null)
      const traffic = createTrafficCount()
      const calls = createCaller(options, traffic.meter, service.media)
      const execute: WorkerParts['execute'] = async (batch, lost) =>
        batch.kind === 'grade' ? { kind: 'grade', scores: await gradeBatch(code, batch) } : calls.execute(batch, lost)
      try {
        await runWorker({ service, queue, execute, sandboxes, keys: calls, traffic, log: print }, options, stop.signal)
      } finally {
        await calls.close()
      }
    } finally {
      await queue.close()
    }
  } finally {
    await code.close()
    rmSync(cache, { recursive: true, force: true })
  }
}

async function gradeBatch(code: CodePool, { metrics, inputs }: GradeBatch): Promise<Extract<WorkerOutcome, { kind: 'grade' }>['scores']> {
  const rows = await code.grade(
    metrics.map((metric, i) => ({ ...metric, id: String(i), primary: i === 0 })),
    inputs,
  )
  // Scorers of code have no further values and no counts.
  return rows.map(row => row.map(({ values: _, counts: __, ...score }) => score))
}
