import { useQuery } from '@tanstack/react-query'
import { isTerminal } from '../../contract/machine.ts'
import { isBiasedScore, type Results } from '../../contract/runs/results.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import { profileNames } from '../quotes/profile-name.ts'
import { headlineMetrics } from '../results/headline-metrics.ts'
import { resultsQuery } from '../results/results.queries.ts'
import { BiasedScore } from '../ui/values/biased-score.tsx'
import { Estimate } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { MiniInterval } from './mini-interval.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { usePolledRun } from './runs.queries.ts'
import { SeveralScores } from './several-scores.tsx'
import { formatTimeLeft } from './time-left.ts'

interface RunHeadlineProps {
  readonly run: Run
  /** One line per benchmark with its name, where there is room. */
  readonly tall?: boolean
}

/**
 * A run's progress while it works; after it its score with both ends of the interval, on one axis for all runs. Of several benchmarks
 * the first, by which the service sorts: their metrics have no common mean.
 */
export function RunHeadline({ run, tall = false }: RunHeadlineProps) {
  const now = usePolledRun(run)
  if (!isTerminal(runMachine, now.status)) return <RunningLine run={now} />
  if (now.result_version === null) return <span className="quiet">no result</span>
  return <ScoreLine runId={now.id} version={now.result_version} tall={tall} />
}

function RunningLine({ run: { progress, name } }: { readonly run: Run }) {
  return (
    <span className="runs-cell">
      <OutcomeBar progress={progress} label={`Progress of ${name}`} bare />
      <span className="num">
        {formatCount(progress.completed)} of {formatCount(progress.frozen)}
        {progress.seconds_left === null ? '' : `, ${formatTimeLeft(progress.seconds_left)} left`}
      </span>
    </span>
  )
}

function ScoreLine({ runId, version, tall }: { readonly runId: string; readonly version: number; readonly tall: boolean }) {
  const { data, isError } = useQuery(resultsQuery(runId, version))
  if (!data)
    return (
      <span className="quiet" aria-busy={!isError}>
        {isError ? 'couldn’t load' : '…'}
      </span>
    )
  const metrics = headlineMetrics(data)
  const [first] = metrics
  if (!first) return <span className="quiet">no score</span>
  if (tall) return <NamedScores results={data} />
  return (
    <span className="runs-cell">
      {isBiasedScore(data, first.profile_id) ? (
        <BiasedScore n={first.estimate.n} />
      ) : (
        <>
          <MiniInterval estimate={first.estimate} baseline={!data.reproducibility.model.is_model} />
          <span>
            <Estimate estimate={first.estimate} withEnds />
          </span>
        </>
      )}
      {metrics.length === 1 ? null : (
        <SeveralScores more={metrics.length - 1}>
          <NamedScores results={data} />
        </SeveralScores>
      )}
    </span>
  )
}

/** The headline scores with what each is a score of. */
function NamedScores({ results }: { readonly results: Results }) {
  const nameOf = profileNames(results.reproducibility.profiles)
  const metrics = headlineMetrics(results)
  return (
    <dl className="runs-scores">
      {metrics.map(({ profile_id: id, title, estimate }) => (
        <div key={id}>
          <dt>
            <UntrustedText text={`${nameOf(id)}, ${title}`} layout="prose" />
          </dt>
          <dd className="num">{isBiasedScore(results, id) ? 'biased selection' : formatEstimate(estimate, true)}</dd>
        </div>
      ))}
    </dl>
  )
}
