import type { Run, RunActivity } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ConcurrencyBar } from './concurrency-bar.tsx'
import { ConcurrencyField } from './concurrency-field.tsx'
import { Fact, Facts } from './facts.tsx'
import { NextCall } from './next-call.tsx'

/** How the endpoint is being used: what it bears so far, what waits, and what it refused. */
export function EndpointActivity({ run, activity }: { readonly run: Run; readonly activity: RunActivity }) {
  const { endpoint } = activity
  return (
    <Section title="Endpoint" aside={<span className="quiet small">{sharing(endpoint.runs)}</span>}>
      <div className="runs-endpoint">
        <div className="stack" style={{ gap: 4 }}>
          <ConcurrencyBar endpoint={endpoint} />
          <span className="num">
            {formatCount(endpoint.active)} calls at a time, {formatCount(endpoint.limit)} found to be borne, {formatCount(endpoint.most)}{' '}
            allowed
          </span>
        </div>
        <ConcurrencyField run={run} activity={activity} />
      </div>
      <Facts>
        <Fact name="Waiting calls">{formatCount(endpoint.waiting)}</Fact>
        <Fact name="Next call">
          <NextCall endpoint={endpoint} />
        </Fact>
        <Fact name="Throttled (429)" title="Calls that the endpoint refused as too many">
          {formatCount(endpoint.throttled)}
        </Fact>
        <Fact name="Slowed" title="How often the limit was lowered because answers took longer">
          {times(endpoint.slowed)}
        </Fact>
        <Fact name="Waited, all calls together">{formatDuration(activity.waited_ms)}</Fact>
        <Fact name="Samples asked now">{formatCount(activity.asking)}</Fact>
        <Fact name="Pausing before a retry">{formatCount(activity.pausing)}</Fact>
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
