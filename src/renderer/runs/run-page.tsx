import './runs.css'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useParams } from 'react-router'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { AnnotationsView } from '../annotations/annotations-view.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { useAnnounceChange } from '../ui/page/use-announce-change.ts'
import { QueryView } from '../ui/states/query-view.tsx'
import { describeProgress } from './follow-up.ts'
import { RunFollowUp } from './run-follow-up.tsx'
import { RunHeader } from './run-header.tsx'
import { RunProgressView } from './run-progress-view.tsx'
import { RunTabs } from './run-tabs.tsx'
import { runQuery } from './runs.queries.ts'
import type { RunContext } from './use-run-context.ts'
import { useLiveRun } from './use-live-run.ts'

/** The frame around a run's overview and samples. */
export function RunPage() {
  const { runId = '' } = useParams()
  const query = useQuery(runQuery(runId))
  // The samples are one big table, as high as the window.
  const samples = useLocation().pathname.endsWith('/samples')
  return (
    <Page layout={samples ? 'fill' : 'flow'}>
      {query.isError && !query.data ? <PageHeader title="Run" parent={{ title: 'Runs', to: '/runs' }} /> : null}
      <QueryView query={query} failure="Couldn’t load the run">
        {run => <RunFrame key={run.id} read={run} samples={samples} />}
      </QueryView>
    </Page>
  )
}

function RunFrame({ read, samples }: { readonly read: Run; readonly samples: boolean }) {
  const { run, events } = useLiveRun(read)
  useAnnounceChange(describeProgress(run))
  const context: RunContext = { run, events }
  // What a run found comes before how it went, once there is an answer.
  const answered = run.result_version !== null && isTerminal(runMachine, run.status)
  const progress = <RunProgressView run={run} connection={events.connection} brief={samples} />
  return (
    <>
      <RunHeader run={run} tagged={samples} />
      {answered ? null : progress}
      {samples ? null : <RunFollowUp run={run} />}
      {samples || run.part_of !== null ? null : <AnnotationsView target={{ runId: run.id, sampleId: null }} />}
      <RunTabs run={run} />
      <Outlet context={context} />
      {answered && !samples ? progress : null}
    </>
  )
}
