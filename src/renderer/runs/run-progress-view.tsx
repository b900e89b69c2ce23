import type { ReactNode } from 'react'
import { isTerminal, type Run, runMachine } from '../../contract/index.ts'
import type { RunEvents } from '../api/live-events.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Money } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { OutcomeBar } from './outcome-bar.tsx'

interface RunProgressViewProps {
  readonly run: Run
  readonly connection: RunEvents['connection']
  /** Only the bar, where the page needs its height for something else. */
  readonly brief: boolean
}

/** How far a run is, how fast, how long still, and what it cost so far against its cap. */
export function RunProgressView({ run, connection, brief }: RunProgressViewProps) {
  const ended = isTerminal(runMachine, run.status)
  if (brief && ended) return null
  const { progress, accounting } = run
  return (
    <section aria-label="Progress" className="runs-progress">
      <OutcomeBar progress={progress} label="Samples processed" />
      {brief ? null : (
        <dl className="runs-facts">
          <Fact name="Samples">
            {formatCount(progress.completed)} of {formatCount(progress.frozen)}
          </Fact>
          {ended ? (
            <Fact name="Took">{formatDuration(duration(run))}</Fact>
          ) : (
            <>
              <Fact name="Speed">
                {progress.samples_per_second === null ? '–' : `${formatNumber(progress.samples_per_second, 1)} per second`}
              </Fact>
              <Fact name="Time left">{progress.seconds_left === null ? '–' : formatDuration(progress.seconds_left * 1000)}</Fact>
            </>
          )}
          <Fact name="Retries">{formatCount(progress.retries)}</Fact>
          <Fact name="Spent">
            <Money microUsd={accounting.charged_microusd} /> of <Money microUsd={accounting.max_charge_microusd} />
          </Fact>
          {run.model.kind === 'connection' ? (
            <Fact name="Billed by provider, estimate">
              <Money microUsd={accounting.provider_billed_estimate_microusd} />
            </Fact>
          ) : null}
          <Fact name="Accounting">{accounting.state}</Fact>
          {ended ? null : <Fact name="Updates">{connections[connection]}</Fact>}
        </dl>
      )}
      {run.stop_reason ? (
        <p className="runs-reason">
          <UntrustedText text={run.stop_reason.message} layout="prose" /> <span className="quiet mono">{run.stop_reason.code}</span>
        </p>
      ) : null}
    </section>
  )
}

const connections: Readonly<Record<RunEvents['connection'], string>> = {
  connecting: 'connecting',
  live: 'live',
  polling: 'every 2 seconds',
  ended: 'ended',
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}

function duration({ started_at: started, finished_at: finished }: Run): number | null {
  return started === null || finished === null ? null : Date.parse(finished) - Date.parse(started)
}
