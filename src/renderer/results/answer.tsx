import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { ReferenceRun } from '../../contract/runs/reference-runs.schemas.ts'
import { isBiasedScore, type MetricResult, type Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { methodName } from '../../lib/format/interval-methods.ts'
import { formatPercent, formatScore, isLopsided } from '../../lib/format/percent.ts'
import { withoutScore } from '../../lib/format/without-score.ts'
import { BiasedScore } from '../ui/values/biased-score.tsx'
import { Estimate } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useReferenceRuns } from './reference-runs.queries.ts'

/** One profile's score, large, with everything that it must be read with. */
export function Answer({ results, metric, name }: { readonly results: Results; readonly metric: MetricResult; readonly name: string }) {
  const { estimate, title, chance_level: chance } = metric
  const biased = isBiasedScore(results, metric.profile_id)
  const references = useReferenceRuns(results, metric.profile_id)
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
            ...withoutScore(biased ? { ...metric, worst_case: null } : metric),
          ].join(' · ')}
        </div>
        {biased ? null : references.map(one => <ReferenceLine key={one.role} reference={one} runId={results.run_id} withEnds={withEnds} />)}
      </dd>
    </div>
  )
}

const roles = { previous: 'Previous run', baseline: 'Baseline' } as const

interface ReferenceLineProps {
  readonly reference: ReferenceRun
  readonly runId: string
  readonly withEnds: boolean
}

function ReferenceLine({ reference, runId, withEnds }: ReferenceLineProps) {
  const { role, run_id: id, model_title: title, estimate, same_tasks: sameTasks } = reference
  const when = id < runId ? 'earlier run' : 'first later run'
  return (
    <div className="small">
      <span className="quiet">{roles[role]} </span>
      <Anchor component={Link} to={`/runs/${id}`} fz="inherit">
        <UntrustedText text={title} layout="prose" />
      </Anchor>{' '}
      <Estimate estimate={estimate} withEnds={withEnds || isLopsided(estimate)} />{' '}
      {sameTasks ? (
        <>
          <span className="quiet">same tasks, {when}</span>{' '}
          <Anchor component={Link} to={`/compare/new?runs=${id},${runId}`} fz="inherit">
            Compare
          </Anchor>
        </>
      ) : (
        <StatusBadge status={{ word: 'Other tasks', tone: 'warn' }} title="No run over the same tasks; the scores can’t be compared." />
      )}
    </div>
  )
}
