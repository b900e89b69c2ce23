import { createElement as h, type ReactElement } from 'react'
import { attemptsNote, attemptsPlot, quotedMetrics } from '../../../../charts/attempts-plot.ts'
import { IntervalPlot, type IntervalRow, intervalPlotTable } from '../../../../charts/interval-plot.ts'
import { isBiasedScore, type MetricResult, type Results } from '../../../../contract/runs/results.schemas.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { formatOriginal } from '../../../../lib/format/original-figure.ts'
import { formatInterval, formatPercent, formatStandardError } from '../../../../lib/format/percent.ts'
import { chartFigure, section, table, untrusted } from './elements.ts'
import { methodName } from '../../../../lib/format/interval-methods.ts'
import { profileTitle } from './result-names.ts'

/** Every metric of every profile, the metrics of one profile beside each other. */
export function scores(results: Results): ReactElement {
  const ids = [...new Set(results.metrics.map(metric => metric.profile_id))]
  const shown = quotedMetrics(results.metrics, results.coverage.epochs)
  const metrics = ids.flatMap(id => shown.filter(metric => metric.profile_id === id))
  const plot = {
    title: 'Scores with their intervals',
    width: 760,
    rows: metrics.filter(metric => !metric.attempts && !isBiasedScore(results, metric.profile_id)).map(metric => plotRow(results, metric)),
  }
  const ladders = ids
    .filter(id => !isBiasedScore(results, id))
    .flatMap(id => attemptsPlot(metrics, { id, title: profileTitle(results, id) }, 0) ?? [])
  return section(
    'scores',
    'Scores',
    chartFigure(IntervalPlot(plot), intervalPlotTable(plot)),
    ...ladders.map(ladder => chartFigure(IntervalPlot({ ...ladder, width: plot.width }), intervalPlotTable(ladder))),
    ladders.length === 0 ? null : h('p', null, attemptsNote(results)),
    table(
      'Metrics',
      [
        { label: 'Profile and metric' },
        { label: 'Score', numeric: true },
        { label: 'Interval', numeric: true },
        { label: 'Credible interval, uniform prior', numeric: true },
        { label: 'n', numeric: true },
        { label: 'Standard error', numeric: true },
        { label: 'Unscored', numeric: true },
        { label: 'If every unscored sample were wrong, or right', numeric: true },
        { label: 'Method' },
        { label: 'Scorer' },
      ],
      metrics.map(metric => metricCells(results, metric)),
    ),
    ...metrics.flatMap(evaluatorNote),
  )
}

/** What a score that an evaluator gave is worth, by its calibration. */
function evaluatorNote({ title, evaluator, attempts }: MetricResult): ReactElement[] {
  if (!evaluator || attempts) return []
  const { statement, self_preference: caution, corrected_pass_rate: corrected } = evaluator
  const range = corrected?.low != null && corrected.high != null ? ` (${formatInterval({ low: corrected.low, high: corrected.high })})` : ''
  const rate = corrected?.mean == null ? '' : ` Corrected for its errors: ${formatPercent(corrected.mean)}${range}.`
  return [h('p', null, untrusted(title), `: ${statement}.${rate}${caution === null ? '' : ` ${caution}.`}`)]
}

function plotRow(results: Results, { profile_id: profileId, title, primary, estimate, chance_level: chance }: MetricResult): IntervalRow {
  return {
    label: profileTitle(results, profileId),
    detail: primary ? `${title} (primary)` : title,
    n: estimate.n,
    mean: estimate.mean,
    low: estimate.interval?.low ?? null,
    high: estimate.interval?.high ?? null,
    chance,
    // Gray says "not a model" in every picture.
    series: results.reproducibility.model.is_model ? (primary ? 0 : 1) : 'baseline',
  }
}

function metricCells(results: Results, metric: MetricResult) {
  const { estimate } = metric
  const isBiased = isBiasedScore(results, metric.profile_id)
  const interval = isBiased ? null : estimate.interval
  return [
    h(
      'span',
      null,
      untrusted(profileTitle(results, metric.profile_id)),
      ': ',
      untrusted(metric.title),
      metric.primary ? ' (primary)' : null,
      metric.original ? `, ${formatOriginal(metric.original)}` : null,
    ),
    isBiased ? 'biased selection' : formatPercent(estimate.mean),
    formatInterval(interval),
    formatInterval(isBiased ? null : (metric.posterior ?? null)),
    formatCount(estimate.n),
    formatStandardError(isBiased ? null : estimate.standard_error),
    formatCount(metric.unscored),
    isBiased || metric.worst_case === null || metric.best_case === null
      ? '–'
      : formatInterval({ low: metric.worst_case, high: metric.best_case }),
    interval === null ? '–' : `${formatPercent(interval.level, 0)}, ${methodName(interval.method)}`,
    untrusted(`${metric.scorer} v${metric.scorer_version}${metric.signature === undefined ? '' : ` (${metric.signature})`}`),
  ]
}
