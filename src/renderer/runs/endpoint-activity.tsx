import type { Run, RunActivity } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ConcurrencyBar } from './concurrency-bar.tsx'
import { ConcurrencyField } from './concurrency-field.tsx'
import { Countdown } from './countdown.tsx'
import { Fact, Facts } from './facts.tsx'

/** Endpoint usage: adaptive limit, queue and refusals. */
export function EndpointActivity({ run, activity }: { readonly run: Run; readonly activity: RunActivity }) {
  const { endpoint } = activity
  return (
    <Section title="Endpoint" aside={<span className="quiet small">{sharing(endpoint.runs)}</span>}>
      <div className="runs-endpoint">
        <div className="stack" style={{ gap: 4 }}>
          <ConcurrencyBar endpoint={endpoint} />
          <span className="num">
            <strong>{formatCount(endpoint.active)}</strong> in flight, adaptive limit <strong>{formatCount(endpoint.limit)}</strong> (max{' '}
            {formatCount(endpoint.most)})
          </span>
        </div>
        <ConcurrencyField run={run} activity={activity} />
      </div>
      <Facts>
        {endpoint.throttled > 0 ? (
          <Fact name="Throttled" title="Calls that the endpoint did not take">
            {formatCount(endpoint.throttled)}
          </Fact>
        ) : null}
        {endpoint.slowed > 0 ? (
          <Fact name="Slowed" title="Times the limit was lowered because latency rose">
            {times(endpoint.slowed)}
          </Fact>
        ) : null}
        {endpoint.pause_ms > 0 ? (
          <Fact name="Retry-After" title="Until the endpoint is tried again">
            <Countdown told={endpoint.pause_ms} />
          </Fact>
        ) : null}
        {endpoint.rate_wait_ms > 0 ? (
          <Fact name="Rate-limit wait" title="Until the request or token limit allows the next call">
            <Countdown told={endpoint.rate_wait_ms} />
          </Fact>
        ) : null}
        {endpoint.waiting > 0 ? <Fact name="Queued calls">{formatCount(endpoint.waiting)}</Fact> : null}
        {activity.waited_ms > 0 ? (
          <Fact name="Total wait" title="Total time that calls of this run waited for the endpoint">
            {formatDuration(activity.waited_ms)}
          </Fact>
        ) : null}
        {activity.backing_off > 0 ? (
          <Fact name="Backing off" title="Samples waiting before a retry">
            {formatCount(activity.backing_off)}
          </Fact>
        ) : null}
        {activity.grading > 0 ? <Fact name="Being graded">{formatCount(activity.grading)}</Fact> : null}
      </Facts>
    </Section>
  )
}

function sharing(runs: number): string {
  return runs > 1 ? `shared by ${formatCount(runs)} runs, fairly` : 'used only by this run'
}

function times(count: number): string {
  return count === 1 ? 'once' : `${formatCount(count)} times`
}
