import { Pareto, paretoGap, type ParetoProps, paretoTable } from '../../charts/pareto.ts'
import type { Comparison, TradeOff } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'

/** Quality beside what it takes, on the tasks that every run has a score for. */
export function TradeOffs({ comparison }: { readonly comparison: Comparison }) {
  const { trade_off: found } = comparison
  if (found.length === 0) return null
  const cost = plotOf(comparison, 'Quality and cost', 'cost per sample', dollars, one => one.cost_microusd_per_sample)
  const latency = plotOf(comparison, 'Quality and latency', 'median latency', formatDuration, one => one.latency_ms.p50)
  const plots = [cost, latency].map(plot => ({ plot, gap: paretoGap(plot) }))
  const drawn = plots.flatMap(({ plot, gap }) => (gap === null ? [plot] : []))
  const gaps = plots.flatMap(({ gap }) => gap ?? [])
  return (
    <Section title="Quality, cost and latency">
      {drawn.length === 0 ? null : (
        <div className="compare-pair">
          {drawn.map(plot => (
            <ChartFigure key={plot.title} table={paretoTable(plot)} maxWidth={720}>
              {width => <Pareto {...plot} width={width} />}
            </ChartFigure>
          ))}
        </div>
      )}
      {gaps.length === 0 ? null : <p className="compare-note">Not drawn: {gaps.join('; ')}.</p>}
      {drawn.length === 0 ? null : (
        <p className="compare-note">
          A filled point is on the front: no other run is at least as good in quality, cost and latency and better in one. The dashed line
          joins those that no other beats in the two that are drawn. Intervals are of the score.
        </p>
      )}
    </Section>
  )
}

function plotOf(
  { runs, trade_off: found }: Comparison,
  title: string,
  takesLabel: string,
  format: (takes: number) => string,
  takes: (one: TradeOff) => number | null,
): ParetoProps {
  const contenders = runs.filter(run => !run.baseline)
  return {
    title,
    takesLabel,
    format,
    points: runs.flatMap(run => {
      const one = found.find(candidate => candidate.run_id === run.id)
      if (!one) return []
      return [
        {
          label: run.baseline ? `${run.label} (baseline)` : run.label,
          n: one.quality.n,
          mean: one.quality.mean,
          low: one.quality.interval?.low ?? null,
          high: one.quality.interval?.high ?? null,
          takes: takes(one),
          href: `/runs/${run.run_id}`,
          onFront: one.on_front,
          series: run.baseline ? ('baseline' as const) : contenders.indexOf(run),
        },
      ]
    }),
  }
}

/** A mean may have fractions of a micro-dollar, which a price does not. */
function dollars(microUsd: number): string {
  return formatUsd(String(Math.round(microUsd)))
}
