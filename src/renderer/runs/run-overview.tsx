import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import { ResultsView } from '../results/results-view.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { ErrorsByKind } from './errors-by-kind.tsx'
import { LiveRun } from './live-run.tsx'
import { isUnsettled } from './runs.queries.ts'
import { useRunContext } from './use-run-context.ts'

/** The live picture of a run that works, the results of one that has ended; a part has no separate result. */
export function RunOverview() {
  const { run, events } = useRunContext()
  if (run.result_version !== null) return <ResultsView run={run} latestVersion={run.result_version} />
  if (!isTerminal(runMachine, run.status)) return <LiveRun run={run} events={events} />
  if (run.part_of !== null) return <ErrorsByKind run={run} />
  if (isUnsettled(run)) return <LinesSkeleton />
  return <EmptyState title="This run has no result">The run ended before any sample was scored.</EmptyState>
}
