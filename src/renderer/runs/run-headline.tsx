import { useQuery } from '@tanstack/react-query'
import { isTerminal } from '../../contract/machine.ts'
import { isBiasedScore, type MetricResult, type Results } from '../../contract/runs/results.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatEstimates, formatScore, isLopsided } from '../../lib/format/percent.ts'
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

/** A run's progress while it works; after it its score as a small interval plot, or the scores of all its benchmarks. */
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
  const [first, ...others] = metrics
  if (!first) return <span className="quiet">no score</span>
  if (tall) return <NamedScores results={data} />
  if (others.length > 0) {
    return (
      <SeveralScores label={metrics.length === 2 ? shortScores(data, metrics) : `${formatCount(metrics.length)} scores`}>
        <NamedScores results={data} />
      </SeveralScores>
    )
  }
  if (isBiasedScore(data, first.profile_id)) return <BiasedScore n={first.estimate.n} />
  return (
    <span className="runs-cell">
      <MiniInterval estimate={first.estimate} baseline={!data.reproducibility.model.is_model} />
      <span>
        <Estimate estimate={first.estimate} />
      </span>
    </span>
  )
}

function shortScores(results: Results, metrics: readonly MetricResult[]): string {
  const shown = metrics.filter(({ profile_id: id }) => !isBiasedScore(results, id))
  const withEnds = shown.some(({ estimate }) => isLopsided(estimate))
  return metrics.map(metric => (shown.includes(metric) ? formatScore(metric.estimate, withEnds) : 'biased')).join(', ')
}

/** The headline scores with what each is a score of, all in one form. */
function NamedScores({ results }: { readonly results: Results }) {
  const nameOf = profileNames(results.reproducibility.profiles)
  const metrics = headlineMetrics(results)
  const texts = formatEstimates(metrics.map(({ estimate }) => estimate))
  return (
    <dl className="runs-scores">
      {metrics.map(({ profile_id: id, title }, i) => (
        <div key={id}>
          <dt>
            <UntrustedText text={`${nameOf(id)}, ${title}`} layout="prose" />
          </dt>
          <dd className="num">{isBiasedScore(results, id) ? 'biased selection' : texts[i]}</dd>
        </div>
      ))}
    </dl>
  )
}
