import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { isBiasedScore, type MetricResult, type Results } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { methodName } from '../../lib/format/interval-methods.ts'
import { formatPercent, formatScore, isLopsided } from '../../lib/format/percent.ts'
import { BiasedScore } from '../ui/values/biased-score.tsx'
import { Estimate } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { type Beside, useBeside } from './beside.queries.ts'

/** One profile's score, large, with everything that it must be read with. */
export function Answer({ results, metric, name }: { readonly results: Results; readonly metric: MetricResult; readonly name: string }) {
  const { estimate, title, chance_level: chance, unscored } = metric
  const biased = isBiasedScore(results, metric.profile_id)
  const beside = useBeside(results, metric.profile_id)
  // One form for the page, as the chart below it has.
  const withEnds = results.metrics.some(one => !isBiasedScore(results, one.profile_id) && isLopsided(one.estimate))
  return (
    <div>
      <dt>
        <UntrustedText text={name} layout="prose" />
        <span className="quiet">, {title}</span>
      </dt>
      <dd className="num">
        {biased ? (
          <BiasedScore n={estimate.n} />
        ) : (
          <>
            <strong className="results-answer">{estimate.mean === null ? 'no score' : formatScore(estimate, withEnds)}</strong>{' '}
            <span className="results-n">(n = {formatCount(estimate.n)})</span>
          </>
        )}
        <div className="quiet small">
          {[
            ...(estimate.mean === null && estimate.reason ? [estimate.reason] : []),
            ...(estimate.interval && !biased
              ? [`${formatPercent(estimate.interval.level, 0)} interval: ${methodName(estimate.interval.method)}`]
              : []),
            ...(chance === null ? [] : [`chance ${formatPercent(chance)}`]),
            ...(unscored > 0 ? [`${formatCount(unscored)} without a score`] : []),
          ].join(' · ')}
        </div>
        {biased ? null : beside.map(other => <BesideLine key={other.role} beside={other} runId={results.run_id} withEnds={withEnds} />)}
      </dd>
    </div>
  )
}

const roles = { previous: 'Previous run', baseline: 'Baseline' } as const

interface BesideLineProps {
  readonly beside: Beside
  readonly runId: string
  readonly withEnds: boolean
}

function BesideLine({ beside: { run, role, metric, sameTasks }, runId, withEnds }: BesideLineProps) {
  const when = run.id < runId ? 'latest earlier run' : 'first later run'
  return (
    <div className="small">
      <span className="quiet">{roles[role]} </span>
      <Anchor component={Link} to={`/runs/${run.id}`} fz="inherit">
        <UntrustedText text={run.model.title} layout="prose" />
      </Anchor>{' '}
      <Estimate estimate={metric.estimate} withEnds={withEnds || isLopsided(metric.estimate)} />{' '}
      {sameTasks ? (
        <>
          <span className="quiet">same tasks, {when}</span>{' '}
          <Anchor component={Link} to={`/compare/new?runs=${run.id},${runId}`} fz="inherit">
            Compare
          </Anchor>
        </>
      ) : (
        <StatusBadge status={{ word: 'Other tasks', tone: 'warn' }} title="No run over the same tasks; the scores can’t be compared." />
      )}
    </div>
  )
}
