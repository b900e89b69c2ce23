import { setTimeout as delay } from 'node:timers/promises'
import { jobMachine } from '../../contract/jobs/job.machine.ts'
import type { Job } from '../../contract/jobs/jobs.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import type { Session } from './session.ts'

const pauseMs = 250

/** Shows a job’s progress until it ends. Stopping the command does not stop the job. */
export async function followJob({ client, out }: Session, jobId: string, what: string): Promise<Job> {
  for (;;) {
    const job = await client.call('getJob', { params: { job_id: jobId } })
    if (isTerminal(jobMachine, job.state)) {
      out.endProgress()
      return job
    }
    const { progress } = job
    const share = progress?.total ? ` ${Math.floor((progress.done / progress.total) * 100)} %` : ''
    out.progress(`${what}${share}${progress?.message ? `, ${progress.message}` : ''}`)
    await delay(pauseMs)
  }
}
