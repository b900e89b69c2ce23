import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { BoundedPool } from './bounded-pool.ts'

/**
 * Runs a task of a pool that asks back while it works. It is answered message by message, so that it never hands over faster than is
 * taken. What `answer` throws ends the task; each message is a beat against its deadline.
 */
export async function converse<FromWorker, ToWorker>(
  pool: BoundedPool,
  task: Readonly<Record<string, unknown>>,
  answer: (message: FromWorker) => ToWorker,
  signal: AbortSignal,
): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const failed = new AbortController()
  const beats = new Int32Array(new SharedArrayBuffer(4))
  port1.on('message', (message: FromWorker) => {
    Atomics.add(beats, 0, 1)
    try {
      port1.postMessage(answer(message))
    } catch (error) {
      failed.abort(error)
    }
  })
  try {
    const withPort: Readonly<Record<string, unknown>> & { readonly port: MessagePort } = { ...task, port: port2 }
    await pool.run(withPort, { transferList: [port2], signal: AbortSignal.any([signal, failed.signal]), beats })
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error
  } finally {
    port1.close()
  }
}
