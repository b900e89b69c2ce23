import type { Run } from '../../contract/index.ts'
import type { RunEvents } from '../api/live-events.ts'
import { EndpointActivity } from './endpoint-activity.tsx'
import { LatestSamples } from './latest-samples.tsx'
import { ErrorsByKind } from './errors-by-kind.tsx'
import { LiveScores, Throughput } from './live-scores.tsx'

/** All that can be seen of a run while it works. */
export function LiveRun({ run, events }: { readonly run: Run; readonly events: RunEvents }) {
  return (
    <>
      {run.activity ? <EndpointActivity run={run} activity={run.activity} /> : null}
      <LiveScores run={run} events={events} />
      <div className="results-pair">
        <ErrorsByKind run={run} />
        <Throughput events={events} />
      </div>
      <LatestSamples run={run} />
    </>
  )
}
