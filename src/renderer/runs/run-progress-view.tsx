import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { RunEvents } from '../api/live-events.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { Fact, Facts } from './facts.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { PauseNotice } from './pause-notice.tsx'
import { runningTime } from './run-times.ts'
import { formatTimeLeft } from './time-left.ts'
import { SpendFacts } from './spend-facts.tsx'

interface RunProgressViewProps {
  readonly run: Run
  readonly connection: RunEvents['connection']
  /** Only the bar, where the page needs its height for something else. */
  readonly brief: boolean
}

/** How far a run is, how fast, how long still, and what it cost so far against its caps. */
export function RunProgressView({ run, connection, brief }: RunProgressViewProps) {
  const ended = isTerminal(runMachine, run.status)
  if (brief && ended) return null
  const { progress, activity } = run
  const retried = run.parts.reduce((sum, part) => sum + part.samples, 0)
  return (
    <section aria-label="Progress" className="runs-progress">
      {activity !== null && activity.blocked !== null ? (
        <Notice tone="fail" title="Storage unavailable: calls are paused">
          <UntrustedText text={activity.blocked} layout="prose" /> The run resumes automatically.
        </Notice>
      ) : null}
      {run.pause === null ? null : <PauseNotice run={run} pause={run.pause} />}
      {run.status === 'complete' ? null : <OutcomeBar progress={progress} label="Samples processed" />}
      {brief ? null : (
        <Facts>
          <Fact name="Samples">
            {formatCount(progress.completed)} of {formatCount(progress.frozen)}
          </Fact>
          {ended ? (
            <Fact name="Took">{formatDuration(runningTime(run))}</Fact>
          ) : (
            <>
              <Fact name="Answers per second">
                {progress.samples_per_second === null || run.pause !== null ? '–' : formatNumber(progress.samples_per_second, 1)}
              </Fact>
              <Fact name="Time left">
                {progress.seconds_left === null || run.pause !== null ? '–' : formatTimeLeft(progress.seconds_left)}
              </Fact>
            </>
          )}
          {progress.retries > 0 ? (
            <Fact name="Repeated calls" title="Calls beyond the first of a sample: automatic retries, and samples that were retried later">
              {formatCount(progress.retries)}
            </Fact>
          ) : null}
          {retried > 0 ? <Fact name="Samples retried later">{formatCount(retried)}</Fact> : null}
          {run.execution.cache ? <Fact name="From the cache">{formatCount(progress.cached)}</Fact> : null}
          <SpendFacts run={run} />
          {ended ? null : <Fact name="Updates">{connections[connection]}</Fact>}
        </Facts>
      )}
    </section>
  )
}

const connections: Readonly<Record<RunEvents['connection'], string>> = {
  connecting: 'connecting',
  live: 'live',
  polling: 'every 2 seconds',
  ended: 'ended',
}
