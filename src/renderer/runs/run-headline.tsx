import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import { profileNames } from '../quotes/profile-name.ts'
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
  return <ScoreLine run={now} tall={tall} />
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

function ScoreLine({ run, tall }: { readonly run: Run; readonly tall: boolean }) {
  const [first, ...others] = run.scores
  if (!first) return <span className="quiet">no score</span>
  if (tall) return <NamedScores run={run} />
  return (
    <span className="runs-cell">
      {first.biased ? (
        <BiasedScore n={first.estimate.n} />
      ) : (
        <>
          <MiniInterval estimate={first.estimate} baseline={!run.model.is_model} />
          <span className="runs-estimate">
            {first.estimate.mean === null ? (
              <Estimate estimate={first.estimate} />
            ) : (
              <>
                <Estimate estimate={first.estimate} bare withEnds /> <span className="num">(n = {formatCount(first.estimate.n)})</span>
              </>
            )}
          </span>
        </>
      )}
      {others.length === 0 ? null : (
        <SeveralScores more={others.length}>
          <NamedScores run={run} />
        </SeveralScores>
      )}
    </span>
  )
}

/** The headline scores with what each is a score of. */
function NamedScores({ run: { profiles, scores } }: { readonly run: Run }) {
  const nameOf = profileNames(profiles)
  return (
    <dl className="runs-scores">
      {scores.map(({ profile_id: id, title, estimate, biased }) => (
        <div key={id}>
          <dt>
            <UntrustedText text={`${nameOf(id)}, ${title}`} layout="prose" />
          </dt>
          <dd className="num">{biased ? 'biased selection' : formatEstimate(estimate, true)}</dd>
        </div>
      ))}
    </dl>
  )
}
