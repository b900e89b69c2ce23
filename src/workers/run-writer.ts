import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RunWriter } from '../storage/runs/run-writer.store.ts'
import type { RunWrites, WrittenRun } from '../storage/runs/run-writes.ts'
import { endTurn } from '../storage/write-turns.ts'
import { workerFile } from './worker-file.ts'

/** What a thread of writes is started with. */
export interface WriterData {
  readonly databasePath: string
  readonly turns: SharedArrayBuffer
}

export interface WriteRequest {
  readonly id: number
  readonly method: keyof RunWriter
  readonly args: readonly unknown[]
}

export type WriteDone =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number
      readonly error: { readonly message: string; readonly stack: string | undefined; readonly code: string | undefined }
    }

/** `RunWriter`, executed in a thread of its own, in the order of the calls. Errors of SQLite keep their `code`. */
export type RunWriterThread = { readonly [Method in keyof RunWriter]: Asynchronous<RunWriter[Method]> } & {
  /** Resolves when everything called before is done and the thread has ended. What is called later is refused. */
  end(): Promise<void>
}

type Asynchronous<Call> = Call extends (...args: infer Args) => infer Result ? (...args: Args) => Promise<Result> : never

/** What a group of answers throws away is soon gone: a small young generation costs no time. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }

/** The thread ended before it had done what it was asked: what was stored is whole, and what was not is as if it had not been asked. */
export class WriterLostError extends Error {
  override readonly name = 'WriterLostError'
  /** Times that the thread was lost within ten minutes, this one included. */
  readonly times: number

  constructor(cause: Error, times: number) {
    super(`The thread that stores runs ended (${times} ${times === 1 ? 'time' : 'times'} within ten minutes): ${cause.message}`, { cause })
    this.times = times
  }
}

const tenMinutesMs = 600_000

interface Waiter {
  resolve(value: unknown): void
  reject(error: Error): void
}

/**
 * Commits of runs flush the disk; in this thread only the samples concerned wait for that. It starts with the first call, and again
 * after it has crashed, which all who wait for it are told.
 * @param turns of the database's first connection
 * @param shareWriting told whether a second connection writes
 */
export function createRunWriterThread(
  databasePath: string,
  turns: SharedArrayBuffer,
  shareWriting: (isShared: boolean) => void,
): RunWriterThread {
  let thread: Worker | null = null
  let isEnding = false
  let lastId = 0
  /** When the thread was lost lately, in milliseconds that only grow. */
  let losses: readonly number[] = []
  const waiters = new Map<number, Waiter>()
  /** What a new thread has to know. */
  const runs = new Map<number, WrittenRun>()

  const start = (): Worker => {
    const worker = new Worker(workerFile('run-writer.worker'), {
      workerData: { databasePath, turns } satisfies WriterData,
      resourceLimits,
      name: 'run-writer',
    })
    let failure: Error | null = null
    worker.on('message', (done: WriteDone) => {
      const waiter = waiters.get(done.id)
      waiters.delete(done.id)
      if ('error' in done) waiter?.reject(Object.assign(new Error(done.error.message), done.error))
      else waiter?.resolve(done.value)
    })
    worker.on('error', error => {
      failure = error instanceof Error ? error : new Error(String(error))
    })
    worker.on('exit', code => {
      if (thread === worker) thread = null
      endTurn(new Int32Array(turns))
      shareWriting(false)
      if (isEnding && waiters.size === 0) return
      const at = performance.now()
      losses = [...losses.filter(loss => loss > at - tenMinutesMs), at]
      const error = new WriterLostError(failure ?? new Error(`exit code ${code}`), losses.length)
      for (const waiter of waiters.values()) waiter.reject(error)
      waiters.clear()
    })
    shareWriting(true)
    return worker
  }
  const call = (method: keyof RunWriter, args: readonly unknown[], transfer: ArrayBuffer[] = []) =>
    new Promise<unknown>((resolve, reject) => {
      // Scores of runs that were suspended may still come; a thread for them would keep the process from ending.
      if (isEnding) throw new Error('The thread that stores runs has ended.')
      if (!thread) {
        thread = start()
        for (const run of runs.values()) thread.postMessage({ id: 0, method: 'open', args: [run] } satisfies WriteRequest)
      }
      const id = ++lastId
      waiters.set(id, { resolve, reject })
      thread.postMessage({ id, method, args } satisfies WriteRequest, transfer)
    })
  /** The thread executes the method of this name, so that the answer is of its type. */
  const method = <Name extends keyof RunWriter>(name: Name) =>
    ((...args: readonly unknown[]) => call(name, args)) as unknown as RunWriterThread[Name]

  return {
    open: async run => {
      await call('open', [run])
      runs.set(run.runNo, run)
    },
    close: async runNo => {
      runs.delete(runNo)
      await call('close', [runNo])
    },
    recover: method('recover'),
    fill: method('fill'),
    commit: (runNo: number, writes: RunWrites) =>
      call('commit', [runNo, writes], [writes.transcripts.buffer]) as ReturnType<RunWriterThread['commit']>, // as `method`
    endPending: method('endPending'),
    saveRunningTime: method('saveRunningTime'),
    end: async () => {
      isEnding = true
      const worker = thread
      if (!worker) return
      const exited = once(worker, 'exit')
      worker.postMessage('close')
      await exited
    },
  }
}
