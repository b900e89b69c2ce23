import type { ComparedTask, Comparison } from '../../../contract/comparisons/comparisons.schemas.ts'
import { bufferedWriter } from './buffered-writer.ts'
import { flipsSection, headlineSection, reproducibilitySection, runsSection } from './comparison-facts.ts'
import { breakdownsSection, differencesSection, labelsSection, tradeOffSection } from './comparison-figures.ts'
import { contents, pageEnd, pageStart, sectionHtml } from './page/document.ts'
import type { Write } from './report-sample.ts'
import { pageStyle } from './style/page-style.ts'
import { themeStyle } from './style/theme.ts'

/** Maximum number of flipped tasks listed: more would be too long to read. */
const mostFlips = 500

/** Writes a comparison's report: one HTML file that needs nothing else and runs no script. The same input gives the same bytes. */
export async function renderComparisonReport(comparison: Comparison, tasks: Iterable<ComparedTask>, write: Write): Promise<void> {
  const out = bufferedWriter(write)
  const flipped: ComparedTask[] = []
  let total = 0
  for (const task of tasks) {
    if (!task.changes.some(({ change }) => change === 'gained' || change === 'lost')) continue
    total++
    if (flipped.length < mostFlips) flipped.push(task)
  }
  const breakdowns = breakdownsSection(comparison)
  const labels = labelsSection(comparison)
  const links = [
    ['differences', 'Differences'],
    ['trade-off', 'Quality, cost and latency'],
    ...(breakdowns === null ? [] : [['breakdowns', 'Breakdowns'] as const]),
    ...(labels === null ? [] : [['labels', 'Labels'] as const]),
    ['flips', 'Tasks that flipped'],
    ['runs', 'What was compared'],
    ['reproducibility', 'Reproducibility'],
  ] as const
  await out.write(pageStart(`${comparison.name} – Assay comparison`, '', themeStyle + pageStyle))
  for (const part of [
    headlineSection(comparison),
    contents(links),
    differencesSection(comparison),
    tradeOffSection(comparison),
    breakdowns,
    labels,
  ]) {
    await out.write(sectionHtml(part))
  }
  for (const part of [flipsSection(comparison, { tasks: flipped, total }), runsSection(comparison), reproducibilitySection(comparison)]) {
    await out.write(sectionHtml(part))
  }
  await out.write(pageEnd(comparison.app_version, ''))
  await out.flush()
}
