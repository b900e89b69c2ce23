import type { ReactElement } from 'react'
import { BreakdownPlot, breakdownPlotTable } from '../../../../charts/breakdown-plot.ts'
import type { Breakdown, MetricResult, Results } from '../../../../contract/runs/results.schemas.ts'
import { chartFigure, section } from './elements.ts'
import { metricTitle, profileTitle } from './result-names.ts'

/** Scores of parts of a profile, one plot per profile and metric; null where the results have none. */
export function breakdowns(results: Results): ReactElement | null {
  if (results.breakdowns.length === 0) return null
  const metrics = [...Map.groupBy(results.breakdowns, part => JSON.stringify([part.profile_id, part.metric])).values()]
  return section('breakdowns', 'Breakdowns', ...metrics.map(parts => breakdownFigure(results, parts)))
}

function breakdownFigure(results: Results, parts: readonly Breakdown[]): ReactElement | null {
  const [first] = parts
  if (first === undefined) return null
  const overall = results.metrics.find((metric: MetricResult) => metric.profile_id === first.profile_id && metric.metric === first.metric)
  const plot = {
    title: `${profileTitle(results, first.profile_id)}: ${metricTitle(results, first.profile_id, first.metric)}`,
    width: 760,
    overall: overall?.estimate.mean ?? null,
    groups: [...Map.groupBy(parts, part => part.dimension)].map(([dimension, rows]) => ({
      dimension,
      rows: rows.map(({ value, estimate }) => ({
        label: value,
        n: estimate.n,
        mean: estimate.mean,
        low: estimate.interval?.low ?? null,
        high: estimate.interval?.high ?? null,
      })),
    })),
  }
  return chartFigure(BreakdownPlot(plot), breakdownPlotTable(plot))
}
