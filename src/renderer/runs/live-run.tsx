import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { RunEvents } from '../api/live-events.ts'
import { EndpointActivity } from './endpoint-activity.tsx'
import { LatestSamples } from './latest-samples.tsx'
import { ErrorsByKind } from './errors-by-kind.tsx'
import { SampleStrip } from '../strip/sample-strip.tsx'
import { LiveScores, Throughput } from './live-scores.tsx'
import { ScoreSoFar } from './score-so-far.tsx'

/** All that can be seen of a run while it works. */
export function LiveRun({ run, events }: { readonly run: Run; readonly events: RunEvents }) {
  return (
    <>
      <ScoreSoFar run={run} events={events} />
      <SampleStrip run={run} />
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
