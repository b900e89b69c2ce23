import { Piscina } from 'piscina'

type Options = Omit<NonNullable<ConstructorParameters<typeof Piscina>[0]>, 'taskQueue'>

/**
 * Threads of a pool that may fail to start, as where the machine has no file handles left: what waits is told unless another thread of
 * the pool will take it, and the next task tries again. By itself piscina would end the process, and what waits would wait for good.
 * @param failWaiting fails the tasks with a signal, which piscina keeps out of reach
 */
export function createThreads(options: Options, failWaiting: (error: unknown) => void = () => undefined): Piscina {
  const taskQueue = new Piscina.FixedQueue()
  const threads = new Piscina({ ...options, taskQueue })
  threads.on('error', error => {
    if (threads.threads.length > 0) return
    failWaiting(error)
    for (let task = taskQueue.shift(); task !== null; task = taskQueue.shift())
      // Piscina's own tasks, which its types hide from a queue.
      if ('done' in task && typeof task.done === 'function') Reflect.apply(task.done, task, [error, null])
  })
  return threads
}
