import type { Run, RunActivity } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ConcurrencyBar } from './concurrency-bar.tsx'
import { ConcurrencyField } from './concurrency-field.tsx'
import { Countdown } from './countdown.tsx'
import { Fact, Facts } from './facts.tsx'

/** How the endpoint is being used: what it bears so far, what waits, and what it refused. */
export function EndpointActivity({ run, activity }: { readonly run: Run; readonly activity: RunActivity }) {
  const { endpoint } = activity
  return (
    <Section title="Endpoint" aside={<span className="quiet small">{sharing(endpoint.runs)}</span>}>
      <div className="runs-endpoint">
        <div className="stack" style={{ gap: 4 }}>
          <ConcurrencyBar endpoint={endpoint} />
          <span className="num">
            <strong>{formatCount(endpoint.active)}</strong> in flight, limit <strong>{formatCount(endpoint.limit)}</strong> as found out so
            far, {formatCount(endpoint.most)} allowed
          </span>
        </div>
        <ConcurrencyField run={run} activity={activity} />
      </div>
      <Facts>
        <Fact name="Throttled (429)" title="Calls that the endpoint refused as too many">
          {formatCount(endpoint.throttled)}
        </Fact>
        <Fact name="Slowed" title="How often the limit was lowered because answers took longer">
          {times(endpoint.slowed)}
        </Fact>
        <Fact name="Pause asked for" title="The endpoint asked to be left alone for this long">
          <Countdown told={endpoint.pause_ms} />
        </Fact>
        <Fact name="Wait for its rates" title="Until its requests or tokens per minute let the next call start">
          <Countdown told={endpoint.rate_wait_ms} />
        </Fact>
        <Fact name="Calls waiting">{formatCount(endpoint.waiting)}</Fact>
        <Fact name="Waited in all" title="Time that this run’s calls have waited for the endpoint, added up">
          {formatDuration(activity.waited_ms)}
        </Fact>
        <Fact name="Samples asked" title="Being asked now, or next in turn">
          {formatCount(activity.requesting)}
        </Fact>
        <Fact name="Samples pausing" title="Waiting before they are asked again">
          {formatCount(activity.backing_off)}
        </Fact>
        <Fact name="Being graded">{formatCount(activity.grading)}</Fact>
      </Facts>
    </Section>
  )
}

function sharing(runs: number): string {
  return runs > 1 ? `shared by ${formatCount(runs)} runs, fairly` : 'used by this run alone'
}

function times(count: number): string {
  return count === 1 ? 'once' : `${formatCount(count)} times`
}
