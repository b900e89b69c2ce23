import { useQuery } from '@tanstack/react-query'
import { isBiasedScore, isTerminal, type Run, runMachine } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { headlineMetrics } from '../results/headline-metrics.ts'
import { resultsQuery } from '../results/results.queries.ts'
import { BiasedScore } from '../ui/values/biased-score.tsx'
import { Estimate } from '../ui/values/figures.tsx'
import { MiniInterval } from './mini-interval.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { usePolledRun } from './runs.queries.ts'

/** A run in one cell: its progress while it works, its first primary score as a small interval plot after. */
export function RunHeadline({ run }: { readonly run: Run }) {
  const now = usePolledRun(run)
  if (!isTerminal(runMachine, now.status)) return <RunningLine run={now} />
  if (now.result_version === null) return <span className="quiet">no result</span>
  return <ScoreLine runId={now.id} version={now.result_version} />
}

function RunningLine({ run: { progress, name } }: { readonly run: Run }) {
  return (
    <span className="runs-cell">
      <OutcomeBar progress={progress} label={`Progress of ${name}`} bare />
      <span className="num">
        {formatCount(progress.completed)} of {formatCount(progress.frozen)}
        {progress.seconds_left === null ? '' : `, ${formatDuration(progress.seconds_left * 1000)}`}
      </span>
    </span>
  )
}

function ScoreLine({ runId, version }: { readonly runId: string; readonly version: number }) {
  const { data, isError } = useQuery(resultsQuery(runId, version))
  if (!data) return <span className="quiet">{isError ? 'couldn’t load' : '…'}</span>
  const [first, ...others] = headlineMetrics(data)
  if (!first) return <span className="quiet">no score</span>
  if (isBiasedScore(data, first.profile_id)) return <BiasedScore n={first.estimate.n} />
  return (
    <span className="runs-cell">
      <MiniInterval estimate={first.estimate} baseline={!data.reproducibility.model.is_model} />
      <span>
        <Estimate estimate={first.estimate} />
        {others.length > 0 ? <span className="quiet"> +{others.length}</span> : null}
      </span>
    </span>
  )
}
