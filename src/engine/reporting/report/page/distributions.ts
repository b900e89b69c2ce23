import { createElement as h, type ReactElement } from 'react'
import { profileName } from '../../../../lib/format/benchmark-names.ts'
import { CumulativeScore, cumulativeScoreTable, evenly } from '../../../../charts/cumulative-score.ts'
import { Distribution, distributionTable, histogram } from '../../../../charts/distribution.ts'
import type { Quantiles, Results } from '../../../../contract/runs/results.schemas.ts'
import { formatCompact, formatCount, formatNumber } from '../../../../lib/format/numbers.ts'
import { formatDuration } from '../../../../lib/format/time.ts'
import type { SampleTally } from '../sample-tally.ts'
import { chartFigure, section, table } from './elements.ts'

/** How long answers took and how long they were. */
export function distributions(results: Results, tally: SampleTally): ReactElement {
  const latency = { title: 'Latency of answers', shape: histogram(tally.latencies.values), format: formatDuration }
  const tokens = { title: 'Output tokens per answer', shape: histogram(tally.outputTokens.values), format: formatCompact }
  return section(
    'speed',
    'Latency and tokens',
    h(
      'div',
      { className: 'pair' },
      chartFigure(Distribution(latency), distributionTable(latency)),
      chartFigure(Distribution(tokens), distributionTable(tokens)),
    ),
    table(
      'Quantiles',
      [
        { label: 'Of' },
        { label: 'n', numeric: true },
        { label: 'Mean', numeric: true },
        { label: 'Median', numeric: true },
        { label: '95th percentile', numeric: true },
        { label: '99th percentile', numeric: true },
        { label: 'Largest', numeric: true },
      ],
      [
        ['Latency', ...quantileCells(results.latency_ms, formatDuration)],
        ['Output tokens', ...quantileCells(results.output_tokens, value => formatNumber(value, Number.isInteger(value) ? 0 : 1))],
      ],
    ),
  )
}

/** How the primary score of each profile settled, a chart for each; the band is shown only where it is true. */
export function cumulative(results: Results, tally: SampleTally): ReactElement {
  const once = results.coverage.epochs === 1
  const charts = tally.profiles.map(({ profile, primary, means: { values: means } }) => ({
    title: profileName(profile),
    series: [
      {
        label: primary?.title ?? '',
        points: evenly(means.length).map(index => ({ n: index + 1, mean: means[index] ?? Number.NaN })),
        band: once && primary?.binary === true,
      },
    ],
  }))
  return section(
    'settling',
    'Score over time',
    h(
      'p',
      { className: 'quiet' },
      'Mean of the primary metric after each scored sample, in the order of the run, with the 95 % Wilson interval at that moment.',
    ),
    h('div', { className: 'pair' }, ...charts.map(chart => chartFigure(CumulativeScore(chart), cumulativeScoreTable(chart)))),
    charts.every(chart => chart.series.every(series => series.band))
      ? null
      : h(
          'p',
          { className: 'quiet' },
          'No band where a score can be partial or a task comes more than once: the Wilson interval would be too narrow.',
        ),
  )
}

function quantileCells(quantiles: Quantiles, format: (value: number) => string): string[] {
  const { n, mean, p50, p95, p99, max } = quantiles
  return [formatCount(n), ...[mean, p50, p95, p99, max].map(value => (value === null ? '–' : format(value)))]
}
