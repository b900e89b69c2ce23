import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { jobMachine } from '../../contract/jobs/job.machine.ts'
import { isTerminal } from '../../contract/machine.ts'
import { UsageError } from '../exit-codes.ts'
import type { ServiceClient } from './service-client.ts'

const pauseMs = 200

/** Whether `--model` names a file and no route or connection. */
export function isModelFile(name: string): boolean {
  return /\.gguf$/i.test(name)
}

/** The route of a GGUF file; its identity is computed first where it is not known. @throws UsageError where the file is not a model */
export async function routeOfFile(client: ServiceClient, file: string): Promise<string> {
  for (;;) {
    const {
      route_id: route,
      job_id: job,
      problem,
      path,
    } = await client.callAsOwner('identifyLocalModel', { body: { path: resolve(file) } })
    if (route !== null) return route
    if (problem !== null || job === null) throw new UsageError(problem ?? `${path} could not be read.`)
    for (;;) {
      const { state, error } = await client.call('getJob', { params: { job_id: job } })
      if (state === 'failed' || state === 'cancelled') throw new UsageError(error?.message ?? `The identity of ${path} was not computed.`)
      if (isTerminal(jobMachine, state)) break
      await delay(pauseMs)
    }
  }
}
