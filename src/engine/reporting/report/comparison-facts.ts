import { createElement as h, type ReactElement } from 'react'
import type { ComparedTask, Comparison } from '../../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../../lib/format/numbers.ts'
import { drawnLevels } from '../../../charts/comparison-differences.ts'
import { formatLevel, formatLevels, formatPercent } from '../../../lib/format/percent.ts'
import { formatTimestamp } from '../../../lib/format/time.ts'
import { labelOf } from './comparison-figures.ts'
import { code, definitions, kicker, section, table, untrusted } from './page/elements.ts'

/** What came out, in words, and what must be known before anybody quotes it. */
export function headlineSection(comparison: Comparison): ReactElement {
  return h(
    'header',
    { className: 'page-head' },
    kicker('Assay comparison'),
    h('h1', null, untrusted(comparison.name)),
    h('p', { className: 'sub' }, `Made ${formatTimestamp(comparison.created_at)}`),
    h('p', { className: 'what' }, untrusted(comparison.headline)),
    comparison.verdicts.length > 1
      ? h('ul', null, ...comparison.verdicts.map(({ contender_id, text }) => h('li', { key: contender_id }, untrusted(text))))
      : null,
    ...comparison.cautions.map(({ message }, key) => h('p', { key, className: 'notice' }, untrusted(message))),
  )
}

export function runsSection(comparison: Comparison): ReactElement {
  return section(
    'runs',
    'What was compared',
    table(
      'Runs',
      [
        { label: 'Run' },
        { label: 'Model' },
        { label: 'Role' },
        { label: 'Status' },
        { label: 'Tasks', numeric: true },
        { label: 'Scored', numeric: true },
      ],
      comparison.runs.map(run => [
        untrusted(run.name),
        h('span', null, untrusted(run.model.title), run.model.is_model ? null : ' (a baseline, not a model)'),
        run.baseline ? 'baseline' : 'contender',
        run.status,
        formatCount(run.tasks),
        formatCount(run.scored_tasks),
      ]),
    ),
    table(
      'Whether they can be compared',
      [{ label: 'Check' }, { label: 'Contender' }, { label: 'Outcome' }, { label: 'Detail' }],
      comparison.checks.map(({ check, contender_id, status, detail }) => [
        check.replaceAll('_', ' '),
        untrusted(labelOf(comparison, contender_id)),
        status === 'pass' ? 'passed' : 'differs',
        untrusted(detail),
      ]),
    ),
  )
}

export interface FlippedTasks {
  readonly tasks: readonly ComparedTask[]
  /** How many there are, shown or not. */
  readonly total: number
}

/** Tasks whose score differs between the baseline and any contender. */
export function flipsSection(comparison: Comparison, { tasks, total }: FlippedTasks): ReactElement {
  const shown =
    tasks.length < total
      ? `The first ${formatCount(tasks.length)} of ${formatCount(total)}; the CSV and JSON exports hold all.`
      : `${formatCount(total)} in all.`
  return section(
    'flips',
    'Tasks that flipped',
    h('p', null, `Tasks on which a contender scored higher or lower than the baseline. ${shown}`),
    tasks.length === 0
      ? null
      : table(
          'Flipped tasks',
          [{ label: 'Task' }, { label: 'Begins' }, ...comparison.runs.map(({ label }) => ({ label, numeric: true }))],
          tasks.map(task => [
            untrusted(task.task_id),
            untrusted(task.preview),
            ...task.outcomes.map(({ value }) => formatPercent(value, 0)),
          ]),
        ),
  )
}

/** Everything needed to make the same comparison again. */
export function reproducibilitySection(comparison: Comparison): ReactElement {
  const { options } = comparison
  return section(
    'reproducibility',
    'Reproducibility',
    definitions([
      ['Comparison', code(comparison.id)],
      ['Digest', code(comparison.digest)],
      ['Seed', String(comparison.seed)],
      ['Interval level', formatLevels(drawnLevels(comparison))],
      ['Level of all tests together', formatLevel(options.level)],
      ['Dates of the tasks', windowWords(options)],
      ['Clustered by', options.cluster_by === null ? 'nothing' : untrusted(options.cluster_by)],
      ['Assay', untrusted(comparison.app_version)],
    ]),
    table(
      'Runs',
      [{ label: 'Label' }, { label: 'Run' }, { label: 'Result version', numeric: true }, { label: 'Digest of the samples' }],
      comparison.runs.map(run => [untrusted(run.label), code(run.run_id), String(run.result_version), code(run.samples_digest)]),
    ),
  )
}

function windowWords({ dated_from: from, dated_to: to }: Comparison['options']): string {
  if (from === undefined && to === undefined) return 'all'
  return `${from === undefined ? '' : `from ${from} `}${to === undefined ? '' : `until ${to}`}`.trim()
}
