import { quotedMetrics } from '../../../charts/attempts-plot.ts'
import { labelTables } from '../../../contract/runs/label-table.ts'
import { isBiasedScore, type Results } from '../../../contract/runs/results.schemas.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import { formatUsd } from '../../../lib/format/money.ts'
import { formatEstimate, formatPercent, formatScore } from '../../../lib/format/percent.ts'
import { reportOutcomes } from '../report/explorer/report-outcomes.ts'
import { metricTitle, profileTitle } from '../report/page/result-names.ts'
import type { ReportSample } from '../report/report-sample.ts'
import { intervalPlot } from './interval-plot.ts'
import { markdownText as text } from './markdown-text.ts'
import { outcomeOf } from '../report/sample-tally.ts'
import { primaryScore } from './outcome.ts'
import type { Samples, WriteBytes } from './samples.ts'

const listedSamples = 50

/** A summary of a result in Markdown: headline, scores with intervals, cost, notices, and the first wrong or unanswered samples. */
export async function renderRunMarkdown(results: Results, samples: Samples, write: WriteBytes): Promise<void> {
  await write(headlineMarkdown(results))
  const lines: string[] = []
  let more = 0
  for await (const sample of samples()) {
    const outcome = wordOf(sample, results)
    if (outcome === 'correct') continue
    if (lines.length === listedSamples) more++
    else lines.push(`| ${text(profileTitle(results, sample.profile_id))} | ${text(sample.task_id)} | ${sample.epoch} | ${outcome} |`)
  }
  if (lines.length === 0) return
  await write(
    ['', '### Samples that are not correct', '', '| profile | task | epoch | outcome |', '|---|---|---|---|', ...lines, ''].join('\n'),
  )
  if (more > 0) await write(`\nand ${formatCount(more)} more.\n`)
}

/** How a sample ended, in the words of the pages. */
function wordOf(sample: ReportSample, { reproducibility }: Results): string {
  const profile = reproducibility.profiles.find(one => one.profile_id === sample.profile_id)
  const code = outcomeOf(sample.status, primaryScore(sample, profile)?.value ?? null)
  return reportOutcomes.find(word => word.charAt(0) === code) ?? sample.status
}

/** Scores, cost and notices of a result. */
export function headlineMarkdown(results: Results): string {
  const { name, status, coverage, billing, notices, errors, stop_reason: reason, reproducibility } = results
  const metrics = quotedMetrics(results.metrics, coverage.epochs)
  const shown = metrics.filter(({ estimate }) => estimate.mean !== null)
  return [
    `## ${text(name)}`,
    '',
    `${text(reproducibility.model.title)}: ${status}, ${formatCount(coverage.scored)} of ${formatCount(coverage.frozen)} samples scored.`,
    ...(reason === null ? [] : ['', `Stopped: ${text(reason.message)}`]),
    '',
    '| profile | metric | score | unscored | worst case |',
    '|---|---|---|---|---|',
    ...metrics.map(one => {
      const title = one.primary ? `**${text(one.title)}**` : text(one.title)
      const signed = one.signature === undefined ? title : `${title} (${text(one.signature)})`
      const worst = isBiasedScore(results, one.profile_id) ? null : one.worst_case
      return `| ${text(profileTitle(results, one.profile_id))} | ${signed} | ${formatEstimate(one.estimate)} | ${formatCount(one.unscored)} | ${formatPercent(worst)} |`
    }),
    '',
    ...(shown.length === 0
      ? []
      : [
          '```text',
          `0 %${' '.repeat(32)}100 %`,
          ...shown.map(one => `${intervalPlot(one.estimate)}  ${metricName(results, one)}`),
          '```',
          '',
        ]),
    ...labelLines(results),
    `Cost: ${formatUsd(billing.charged_microusd)} charged${billing.provider_billed_microusd === null ? '; provider cost unknown' : `, ${formatUsd(billing.provider_billed_microusd)} billed by the provider`}.`,
    ...(errors.length === 0 ? [] : ['', ...errors.map(({ message, count }) => `- ${formatCount(count)} × ${text(message)}`)]),
    ...(notices.length === 0 ? [] : ['', ...notices.map(({ message }) => `> ${text(message)}`)]),
    '',
  ].join('\n')
}

/** How often each label was given, overall and by group. */
function labelLines(results: Results): string[] {
  return labelTables(results).flatMap(({ profileId, metric, labels, rows }) => [
    `Labels of ${text(metricTitle(results, profileId, metric))}, ${text(profileTitle(results, profileId))}:`,
    '',
    `| group | ${labels.map(text).join(' | ')} | n | without label |`,
    `|---|${'---|'.repeat(labels.length + 2)}`,
    ...rows.map(({ group, n, withoutLabel, shares }) => {
      const name = group === null ? 'all' : text(`${group.dimension}: ${group.value}`)
      return `| ${name} | ${shares.map(({ estimate }) => formatScore(estimate, true)).join(' | ')} | ${formatCount(n)} | ${formatCount(withoutLabel)} |`
    }),
    '',
  ])
}

/** Inside a code block only a run of backticks has a meaning. */
function metricName(results: Results, { profile_id: profile, title }: Results['metrics'][number]): string {
  return `${profileTitle(results, profile)}, ${title}`.replaceAll('`', "'").replaceAll(/\s+/g, ' ')
}
