import { setTimeout as delay } from 'node:timers/promises'
import { api, type Api, type OperationId } from '../../contract/api.ts'
import { ServiceError } from '../../contract/client.ts'
import type { Request, Response } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { jobMachine } from '../../contract/jobs/job.machine.ts'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { InProcessCalls } from '../http/in-process.ts'

const pauseMs = 100

export interface DemoTools extends InProcessCalls {
  readonly workspaceId: string
  /** Asks until it is so. */
  until<T>(read: () => Promise<T>, isSo: (read: T) => boolean): Promise<T>
  /** Resolves when a run has ended. */
  runEnded(runId: string): Promise<void>
  /** Resolves when a job has succeeded. @throws Error when it has not */
  jobDone(jobId: string | null): Promise<void>
}

/** @param key begins the keys by which what a chapter creates is created once, however often the chapter is repeated */
export function createDemoTools(
  calls: InProcessCalls,
  { signal, key, workspaceId }: { readonly signal: AbortSignal; readonly key: string; readonly workspaceId: string },
): DemoTools {
  let created = 0
  const call = <Id extends OperationId>(id: Id, request: Request<Api[Id]>): Promise<Response<Api[Id]>> => {
    signal.throwIfAborted()
    return saying(
      'idempotent' in api[id]
        ? calls.call(id, Object.assign({}, request, { headers: { ...request.headers, 'idempotency-key': `${key}-${created++}` } }))
        : calls.call(id, request),
    )
  }
  const until: DemoTools['until'] = async (read, isSo) => {
    for (;;) {
      const found = await read()
      if (isSo(found)) return found
      await delay(pauseMs, undefined, { signal })
    }
  }
  return {
    workspaceId,
    call,
    send: (path, request) => saying(calls.send(path, request)),
    until,
    runEnded: async run_id =>
      void (await until(
        () => call('getRun', { params: { run_id } }),
        ({ status }) => isTerminal(runMachine, status),
      )),
    jobDone: async id => {
      if (id === null) return
      const { state, kind, error } = await until(
        () => call('getJob', { params: { job_id: id } }),
        job => isTerminal(jobMachine, job.state),
      )
      if (state !== 'succeeded') throw new Error(`The job "${kind}" of the demo is ${state}: ${error?.message}`)
    },
  }
}

/** A refusal as the end of the job, which tells it to the person. */
function saying<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw error instanceof ServiceError ? new ApiError('conflict', `A step of the demo was refused: ${error.message}`) : error
  })
}
