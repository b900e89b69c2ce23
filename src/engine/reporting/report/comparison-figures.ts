import { createElement as h, type ReactElement } from 'react'
import { comparisonDifferences } from '../../../charts/comparison-differences.ts'
import { PairedDifference, pairedDifferenceTable } from '../../../charts/paired-difference.ts'
import type { Comparison, Difference } from '../../../contract/comparisons/comparisons.schemas.ts'
import { formatUsd } from '../../../lib/format/money.ts'
import { formatCount, formatNumber, noNumber } from '../../../lib/format/numbers.ts'
import { formatDifferenceInterval, formatLevel, formatPercent, formatScore } from '../../../lib/format/percent.ts'
import { formatDuration } from '../../../lib/format/time.ts'
import { chartFigure, section, table, untrusted } from './page/elements.ts'
import { methodName, namedMethods } from '../../../lib/format/interval-methods.ts'
import { formatP, formatProbability, testName } from '../../../lib/format/p-values.ts'

const plotWidth = 760

export function labelOf({ runs }: Comparison, id: string): string {
  return runs.find(run => run.id === id)?.label ?? id
}

const verdictWords: Record<Difference['verdict'], string> = {
  better: 'better',
  worse: 'worse',
  not_shown: 'no difference shown',
  not_tested: 'not tested',
}

/** Every difference with its test, and who passed what for those that the verdicts are about. */
export function differencesSection(comparison: Comparison): ReactElement {
  const plot = comparisonDifferences(comparison)
  return section(
    'differences',
    'Differences',
    chartFigure(PairedDifference({ ...plot, width: plotWidth }), pairedDifferenceTable(plot)),
    table(
      'Paired differences, contender minus baseline. “Detectable difference”: a smaller true difference would be missed more than one time in five.',
      [
        { label: 'Contender and metric' },
        { label: 'Verdict' },
        { label: 'Difference', numeric: true },
        { label: 'n', numeric: true },
        { label: 'p', numeric: true },
        { label: 'p, adjusted', numeric: true },
        { label: 'Wins, losses, ties', numeric: true },
        { label: 'Detectable difference', numeric: true },
        { label: 'Interval, test' },
      ],
      comparison.differences.map(difference => [
        untrusted(`${labelOf(comparison, difference.contender_id)}: ${difference.title}, ${difference.metric_title}`),
        verdictWords[difference.verdict],
        formatDifferenceInterval({ mean: difference.difference, interval: difference.interval }),
        formatCount(difference.n),
        formatP(difference.p),
        formatP(difference.p_adjusted),
        `${formatCount(difference.wins)}, ${formatCount(difference.losses)}, ${formatCount(difference.ties)}`,
        difference.minimum_detectable_difference === null
          ? noNumber
          : `${formatNumber(difference.minimum_detectable_difference * 100, 1)} points`,
        `${difference.interval === null ? noNumber : `${formatLevel(difference.interval.level)}, ${methodName(difference.interval.method)}`}, ${difference.test === null ? noNumber : testName(difference.test)}`,
      ]),
    ),
    secondViews(comparison),
    ...comparison.differences
      .filter(({ headline, passes }) => headline && passes !== null)
      .map(difference => passesTable(comparison, difference)),
  )
}

function secondViews(comparison: Comparison): ReactElement | null {
  const rows = comparison.differences.filter(({ posterior, one_sided: oneSided, agreement }) => posterior || oneSided || agreement)
  if (rows.length === 0) return null
  return table(
    'Bayesian view from a uniform prior, one-sided p-values without adjustment, and agreement of the verdicts',
    [
      { label: 'Contender and metric' },
      { label: 'P(better)', numeric: true },
      { label: 'Credible interval', numeric: true },
      { label: 'One-sided p: better, worse', numeric: true },
      { label: 'Same verdict', numeric: true },
      { label: 'Kappa', numeric: true },
    ],
    rows.map(({ contender_id, title, metric_title, difference, posterior, one_sided: oneSided, agreement }) => [
      untrusted(`${labelOf(comparison, contender_id)}: ${title}, ${metric_title}`),
      formatProbability(posterior?.probability_better ?? null),
      posterior ? formatDifferenceInterval({ mean: difference, interval: posterior }).split(' points ')[1] : noNumber,
      oneSided ? `${formatP(oneSided.p_better)}, ${formatP(oneSided.p_worse)}` : noNumber,
      formatPercent(agreement?.observed ?? null),
      kappaOf(agreement),
    ]),
  )
}

function kappaOf(agreement: Difference['agreement']): string {
  if (!agreement || agreement.kappa === null) return noNumber
  const { kappa, low, high } = agreement
  const figure = (value: number): string => formatNumber(value, 2)
  return low === null || high === null ? figure(kappa) : `${figure(kappa)} [${figure(low)}, ${figure(high)}]`
}

function passesTable(comparison: Comparison, { contender_id, passes }: Difference): ReactElement | null {
  if (passes === null) return null
  const contender = labelOf(comparison, contender_id)
  return table(
    `Tasks passed by the baseline and by ${contender}`,
    [{ label: '' }, { label: 'Contender passed', numeric: true }, { label: 'Contender did not', numeric: true }],
    [
      ['Baseline passed', formatCount(passes.both), formatCount(passes.only_baseline)],
      ['Baseline did not', formatCount(passes.only_contender), formatCount(passes.neither)],
    ],
  )
}

/** Quality beside what it takes. */
export function tradeOffSection(comparison: Comparison): ReactElement {
  return section(
    'trade-off',
    'Quality, cost and latency',
    h('p', null, `On the ${formatCount(comparison.tasks.common)} tasks that every run has a score for.`),
    table(
      'Quality beside cost and latency',
      [
        { label: 'Run' },
        { label: 'Quality', numeric: true },
        { label: 'Cost per sample', numeric: true },
        { label: 'Latency, median', numeric: true },
        { label: 'Latency, 95th percentile', numeric: true },
        { label: 'Output tokens per sample', numeric: true },
        { label: 'Dominated by' },
      ],
      comparison.trade_off.map(run => [
        untrusted(labelOf(comparison, run.run_id)),
        formatScore(run.quality),
        run.cost_microusd_per_sample === null ? 'not known' : formatUsd(String(Math.round(run.cost_microusd_per_sample))),
        formatDuration(run.latency_ms.p50),
        formatDuration(run.latency_ms.p95),
        run.output_tokens_per_sample === null ? noNumber : formatNumber(run.output_tokens_per_sample, 1),
        run.on_front ? 'none' : untrusted(run.dominated_by.map(id => labelOf(comparison, id)).join(', ')),
      ]),
    ),
  )
}

/** How often each label was given; null where no metric gives labels. */
export function labelsSection(comparison: Comparison): ReactElement | null {
  const rows = comparison.label_differences ?? []
  if (rows.length === 0) return null
  return section(
    'labels',
    'Labels',
    table(
      'Shares of the tasks that have a label in both runs, each with its interval, and the paired difference; p is adjusted by Benjamini and Hochberg over all rows of a contender',
      [
        { label: 'Metric, group' },
        { label: 'Label' },
        { label: 'Contender' },
        { label: 'n', numeric: true },
        { label: 'Baseline', numeric: true },
        { label: 'Contender’s share', numeric: true },
        { label: 'Difference', numeric: true },
        { label: 'p, adjusted', numeric: true },
      ],
      rows.map(row => [
        untrusted(row.dimension === null ? row.metric_title : `${row.metric_title}, ${row.dimension}: ${row.value ?? ''}`),
        untrusted(row.label),
        untrusted(labelOf(comparison, row.contender_id)),
        formatCount(row.n),
        formatScore(row.baseline, true),
        formatScore(row.contender, true),
        formatDifferenceInterval({ mean: row.difference, interval: row.interval }),
        formatP(row.p_adjusted),
      ]),
    ),
  )
}

/** Parts of the tasks; null where nothing splits them. */
export function breakdownsSection(comparison: Comparison): ReactElement | null {
  if (comparison.breakdowns.length === 0) return null
  return section(
    'breakdowns',
    'Breakdowns',
    h(
      'p',
      null,
      'For exploring: among many parts some differ by chance. The adjusted p bounds the share of false findings (Benjamini and Hochberg).' +
        namedMethods(comparison.breakdowns),
    ),
    table(
      'Differences within parts of the tasks',
      [
        { label: 'Part' },
        { label: 'Contender' },
        { label: 'n', numeric: true },
        { label: 'Baseline', numeric: true },
        { label: 'Contender’s score', numeric: true },
        { label: 'Difference', numeric: true },
        { label: 'p, adjusted', numeric: true },
      ],
      comparison.breakdowns.map(part => [
        untrusted(`${part.dimension}: ${part.value}`),
        untrusted(labelOf(comparison, part.contender_id)),
        formatCount(part.n),
        formatPercent(part.baseline_mean),
        formatPercent(part.contender_mean),
        formatDifferenceInterval({ mean: part.difference, interval: part.interval }),
        formatP(part.p_adjusted),
      ]),
    ),
  )
}
