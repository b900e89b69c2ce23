import { createElement as h, type ReactElement } from 'react'
import { BreakdownPlot, breakdownPlotTable } from '../../../../charts/breakdown-plot.ts'
import { type Breakdown, isBiasedScore, type MetricResult, type Results } from '../../../../contract/runs/results.schemas.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { formatInterval, formatPercent, formatScore, formatStandardError } from '../../../../lib/format/percent.ts'
import { type LabelTable, labelTables } from '../../../../contract/runs/label-table.ts'
import { chartFigure, partAddress, section, table, untrusted } from './elements.ts'
import { metricTitle, profileTitle } from './result-names.ts'

/** Scores of parts of a profile, one plot per profile and metric; null where the results have none. */
export function breakdowns(results: Results): ReactElement | null {
  if (!hasParts(results)) return null
  const metrics = [...Map.groupBy(results.breakdowns, part => JSON.stringify([part.profile_id, part.metric])).values()]
  return section(
    'breakdowns',
    'Breakdowns',
    results.breakdowns.length === 0 ? null : h('p', { className: 'quiet screen-only' }, 'A bar opens the samples that it counts.'),
    ...metrics.map(parts => breakdownFigure(results, parts)),
    macroMeans(results),
    ...labelTables(results).map(found => labelShares(results, found)),
  )
}

/** Whether a result has anything to say of parts or of labels. */
export function hasParts(results: Results): boolean {
  return results.breakdowns.length > 0 || labelTables(results).length > 0
}

function labelShares(results: Results, { profileId, metric, labels, rows }: LabelTable): ReactElement {
  return table(
    `Labels of ${metricTitle(results, profileId, metric)}, ${profileTitle(results, profileId)}: share and 95 % interval`,
    [
      { label: 'Group' },
      ...labels.map(label => ({ label: untrusted(label), numeric: true })),
      { label: 'n', numeric: true },
      { label: 'Without label', numeric: true },
    ],
    rows.map(({ group, n, withoutLabel, shares }) => [
      group === null ? 'All' : untrusted(`${group.dimension}: ${group.value}`),
      ...shares.map(({ estimate }) => formatScore(estimate, true)),
      formatCount(n),
      formatCount(withoutLabel),
    ]),
  )
}

function macroMeans(results: Results): ReactElement | null {
  const rows = (results.macro_means ?? []).filter(({ profile_id: id }) => !isBiasedScore(results, id))
  if (rows.length === 0) return null
  return table(
    'Macro means, every group counted the same',
    [
      { label: 'Groups' },
      { label: 'Mean', numeric: true },
      { label: '95 % interval', numeric: true },
      { label: 'Standard error', numeric: true },
      { label: 'Number of groups', numeric: true },
    ],
    rows.map(({ profile_id, dimension, mean, interval, standard_error, groups }) => [
      untrusted(`${profileTitle(results, profile_id)}, by ${dimension}`),
      formatPercent(mean),
      formatInterval(interval),
      formatStandardError(standard_error),
      formatCount(groups),
    ]),
  )
}

function breakdownFigure(results: Results, parts: readonly Breakdown[]): ReactElement | null {
  const [first] = parts
  if (first === undefined) return null
  const overall = results.metrics.find((metric: MetricResult) => metric.profile_id === first.profile_id && metric.metric === first.metric)
  const plot = {
    title: `${profileTitle(results, first.profile_id)}: ${metricTitle(results, first.profile_id, first.metric)}`,
    width: 760,
    overall: overall?.estimate.mean ?? null,
    isBaseline: !results.reproducibility.model.is_model,
    groups: [...Map.groupBy(parts, part => part.dimension)].map(([dimension, rows]) => ({
      dimension,
      rows: rows
        .map(part => ({ ...part, href: partAddress(results.breakdowns.indexOf(part)) }))
        .map(({ value, estimate, href }) => ({
          label: value,
          href,
          n: estimate.n,
          mean: estimate.mean,
          low: estimate.interval?.low ?? null,
          high: estimate.interval?.high ?? null,
        })),
    })),
  }
  return chartFigure(BreakdownPlot(plot), breakdownPlotTable(plot))
}
