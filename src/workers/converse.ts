import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Piscina } from 'piscina'

/**
 * Runs a task of a pool that asks back while it works. It is answered message by message, so that it never hands over faster than is
 * taken. What `answer` throws ends the task.
 */
export async function converse<FromWorker, ToWorker>(
  pool: Piscina,
  task: Readonly<Record<string, unknown>>,
  answer: (message: FromWorker) => ToWorker,
  signal: AbortSignal,
): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const failed = new AbortController()
  port1.on('message', (message: FromWorker) => {
    try {
      port1.postMessage(answer(message))
    } catch (error) {
      failed.abort(error)
    }
  })
  try {
    const withPort: Readonly<Record<string, unknown>> & { readonly port: MessagePort } = { ...task, port: port2 }
    await pool.run(withPort, { transferList: [port2], signal: AbortSignal.any([signal, failed.signal]) })
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error
  } finally {
    port1.close()
  }
}
