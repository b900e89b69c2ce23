import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { jobMachine } from '../../contract/jobs/job.machine.ts'
import type { Job } from '../../contract/jobs/jobs.schemas.ts'
import { isTerminal } from '../../contract/machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { call } from '../api/client.ts'
import type { ExportFormat } from './export-file-name.ts'

/** Runs from which on writing an export takes over a second. */
const fewestSamples = 10_000
/** Between two looks at the progress. */
const pollMs = 500

/**
 * Has the service write a large export before it is downloaded, and shows how far it is in a notification, with a button that cancels it.
 * A PDF is printed from the HTML report.
 *
 * @returns false when it was cancelled
 */
export async function prepareExport(run: Run, version: number, format: ExportFormat, notification: string, name: string): Promise<boolean> {
  if (run.progress.frozen < fewestSamples) return true
  const params = { run_id: run.id }
  let job = await call('prepareRunExport', { params, body: { format: format === 'pdf' ? 'html' : format, version } })
  const cancel = () => void call('cancelJob', { params: { job_id: job.id } }).catch(() => undefined) // It has ended by now.
  for (; !isTerminal(jobMachine, job.state); job = await call('getJob', { params: { job_id: job.id } })) {
    notifications.update({ id: notification, message: <Preparing name={name} job={job} onCancel={cancel} /> })
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  if (job.state === 'cancelled') return false
  if (job.state === 'failed') throw new Error(job.error?.message ?? 'The export could not be written.')
  notifications.update({ id: notification, message: `Downloading ${name} …` })
  return true
}

function Preparing({ name, job, onCancel }: { readonly name: string; readonly job: Job; readonly onCancel: () => void }) {
  const { done = 0, total = null } = job.progress ?? {}
  return (
    <>
      Preparing {name} … {total ? formatPercent(done / total, 0) : ''}{' '}
      <Button size="compact-xs" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </>
  )
}
