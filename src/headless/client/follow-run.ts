import { setTimeout as delay } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import { type Run, RunEvent } from '../../contract/runs/runs.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { whileInterruptible } from './interrupts.ts'
import { NoServiceError } from './service-client.ts'
import type { Session } from './session.ts'

/** How long a service that is being restarted is waited for. */
const patienceMs = 60_000
const pauseMs = 1_000

/** Follows a run to its end and shows its progress. The run does not depend on it: stopping the command stops nothing else. */
export function followRun(session: Session, runId: string): Promise<Run> {
  // The service of such a command ends with it, and says so itself.
  if (session.ephemeral) return follow(session, runId)
  const advice = [
    `Run ${runId} continues without this command. Press Ctrl+C again to leave.`,
    `  Watch it:   assay runs watch ${runId}`,
    `  Cancel it:  assay cancel ${runId}`,
    '  Attach:     the same "assay run" again, in pipelines with --resume',
  ].join('\n')
  return whileInterruptible(advice, session.out.endProgress, () => follow(session, runId))
}

async function follow({ client, out }: Session, runId: string): Promise<Run> {
  let lostAt: number | null = null
  for (;;) {
    try {
      const run = await client.call('getRun', { params: { run_id: runId } })
      lostAt = null
      out.progress(describe(run))
      if (isTerminal(runMachine, run.status)) {
        out.endProgress()
        return run
      }
      for await (const event of eventsOf(client, runId)) if (event.type === 'progress') out.progress(describe(event))
    } catch (error) {
      // A connection that breaks off is a TypeError in `fetch` and in a stream alike.
      if (!(error instanceof TypeError) && !(error instanceof NoServiceError)) throw error
      lostAt ??= Date.now()
      if (Date.now() - lostAt > patienceMs) throw error
      out.progress('The service does not respond; reconnecting…')
      await delay(pauseMs)
    }
  }
}

async function* eventsOf(client: Session['client'], runId: string): AsyncGenerator<RunEvent> {
  const reply = await client.send(`/v1/runs/${encodeURIComponent(runId)}/events`, { headers: { accept: 'text/event-stream' } })
  if (reply.body === null) return
  for await (const { data } of reply.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
    const event = RunEvent.safeParse(JSON.parse(data))
    if (event.success) yield event.data
  }
}

type Progress = Pick<Run, 'status' | 'progress' | 'accounting' | 'pause'>

function describe({ status, progress, accounting, pause }: Progress): string {
  const { frozen, scored, failed, completed, seconds_left: left } = progress
  const percent = frozen === 0 ? 100 : Math.floor((completed / frozen) * 100)
  return [
    `${status} ${percent} %`,
    `${scored} of ${frozen} scored`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(accounting.charged_microusd === '0' ? [] : [formatUsd(accounting.charged_microusd)]),
    ...(left === null ? [] : [`${formatDuration(left * 1000)} left`]),
    ...(pause === null ? [] : [`paused: ${pause.message}`]),
  ].join(' · ')
}
