import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { BoundedPool } from './bounded-pool.ts'

/**
 * Runs a task of a pool that asks back while it works. It is answered message by message, so that it never hands over faster than is
 * taken. What `answer` throws ends the task.
 * @param isBeating each message is a beat against its deadline, so that it may take as long as it says something
 */
export async function converse<FromWorker, ToWorker, Answer = void>(
  pool: BoundedPool,
  task: Readonly<Record<string, unknown>>,
  answer: (message: FromWorker) => ToWorker | Promise<ToWorker>,
  { signal, isBeating = true }: { readonly signal: AbortSignal; readonly isBeating?: boolean },
): Promise<Answer> {
  const { port1, port2 } = new MessageChannel()
  const failed = new AbortController()
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const reply = async (message: FromWorker) => {
    try {
      const given = answer(message)
      port1.postMessage(given instanceof Promise ? await given : given)
    } catch (error) {
      failed.abort(error)
    }
  }
  port1.on('message', (message: FromWorker) => {
    Atomics.add(beats, 0, 1)
    void reply(message)
  })
  try {
    const withPort: Readonly<Record<string, unknown>> & { readonly port: MessagePort } = { ...task, port: port2 }
    const both = AbortSignal.any([signal, failed.signal])
    return await pool.run<(task: typeof withPort) => Answer, Awaited<Answer>>(withPort, {
      transferList: [port2],
      signal: both,
      ...(isBeating && { beats }),
    })
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error
  } finally {
    port1.close()
  }
}
