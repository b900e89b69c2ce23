import { quotedMetrics } from '../../charts/attempts-plot.ts'
import { methodName } from '../../lib/format/interval-methods.ts'
import { isBiasedScore, type MetricResult, type Results } from '../../contract/runs/results.schemas.ts'
import { formatOriginal } from '../../lib/format/original-figure.ts'
import { formatCount, noNumber } from '../../lib/format/numbers.ts'
import { formatInterval, formatPercent, formatStandardError } from '../../lib/format/percent.ts'
import { profileNames } from '../quotes/profile-name.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Every way of turning the outputs into a number, side by side, each with all that it must be read with. */
export function MetricsTable({ results }: { readonly results: Results }) {
  const { profiles } = results.reproducibility
  const metrics = quotedMetrics(results.metrics, results.coverage.epochs)
  const nameOf = profileNames(profiles)
  const isBiased = ({ profile_id: id }: MetricResult) => isBiasedScore(results, id)
  const columns: readonly Column<MetricResult>[] = [
    {
      id: 'metric',
      title: 'Metric',
      width: 180,
      grow: true,
      rowHeader: true,
      cell: metric => (
        <>
          {profiles.length > 1 ? (
            <div>
              <UntrustedText text={nameOf(metric.profile_id)} layout="prose" />
            </div>
          ) : null}
          {metric.title}
          {metric.primary ? <span className="quiet"> (primary)</span> : null}
          <div className="quiet mono">
            {metric.scorer} v{metric.scorer_version}
          </div>
          {metric.original ? <div className="mono">{formatOriginal(metric.original)}</div> : null}
          {metric.signature === undefined ? null : <div className="quiet mono">{metric.signature}</div>}
        </>
      ),
    },
    {
      id: 'score',
      title: 'Score',
      width: 68,
      align: 'end',
      cell: metric => (isBiased(metric) ? <span className="quiet">biased</span> : formatPercent(metric.estimate.mean)),
    },
    {
      id: 'interval',
      title: '95 % interval',
      width: 116,
      align: 'end',
      cell: metric => formatInterval(isBiased(metric) ? null : metric.estimate.interval),
    },
    {
      id: 'posterior',
      title: 'Credible 95 %',
      width: 116,
      align: 'end',
      cell: metric => formatInterval(isBiased(metric) ? null : (metric.posterior ?? null)),
    },
    {
      id: 'error',
      title: 'Std. error',
      width: 76,
      align: 'end',
      cell: metric => formatStandardError(isBiased(metric) ? null : metric.estimate.standard_error),
    },
    {
      id: 'method',
      title: 'Method',
      width: 100,
      cell: metric =>
        isBiased(metric) ? noNumber : metric.estimate.interval === null ? noNumber : methodName(metric.estimate.interval.method),
    },
    { id: 'n', title: 'n', width: 62, align: 'end', cell: metric => formatCount(metric.estimate.n) },
    { id: 'unscored', title: 'Unscored', width: 76, align: 'end', cell: metric => formatCount(metric.unscored) },
    {
      id: 'worst',
      title: 'Worst case',
      width: 84,
      align: 'end',
      cell: metric => formatPercent(isBiased(metric) ? null : metric.worst_case),
    },
    { id: 'best', title: 'Best case', width: 76, align: 'end', cell: metric => formatPercent(isBiased(metric) ? null : metric.best_case) },
    { id: 'chance', title: 'Chance', width: 66, align: 'end', cell: metric => formatPercent(metric.chance_level) },
  ]
  const remarks = Map.groupBy(
    metrics.flatMap(metric => remarksOf(metric).map(remark => ({ remark, name: `${nameOf(metric.profile_id)}, ${metric.title}` }))),
    ({ remark }) => remark,
  )
  return (
    <>
      <PlainTable label="All metrics" columns={columns} rows={metrics} rowId={metric => `${metric.profile_id} ${metric.metric}`} />
      <p className="quiet small prose results-note">
        Worst and best case count every sample without a score as wrong or as right. The credible interval is the Bayesian one from a
        uniform prior.
      </p>
      {remarks.size > 0 ? (
        <ul className="small results-remarks">
          {[...remarks].map(([remark, about]) => (
            <li key={remark}>
              {remark}{' '}
              <span className="quiet">({about.length === metrics.length ? 'every metric' : about.map(({ name }) => name).join('; ')})</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function remarksOf({ estimate: { reason, cautions } }: MetricResult): readonly string[] {
  return reason === null ? cautions : [reason, ...cautions]
}
