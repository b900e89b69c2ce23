import type { ReactElement } from 'react'
import type { Results } from '../../../../contract/runs/results.schemas.ts'
import { changedPrompt } from '../../../../lib/format/changed-prompt.ts'
import { profileName } from '../../../../lib/format/benchmark-names.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { formatPercent } from '../../../../lib/format/percent.ts'
import { code, definitions, section, table, untrusted } from './elements.ts'

/** The model, the benchmarks and how much of them: what the score is a score of. */
export function whatWasRun(results: Results): ReactElement {
  const { model, profiles, execution } = results.reproducibility
  return section(
    'run',
    'What was run',
    definitions([
      ['Model', untrusted(`${model.title} (${model.provider} / ${model.model})`)],
      ['Kind', model.is_model ? `${model.kind} model` : 'baseline, not a model'],
      ...(model.origin === null ? [] : [['Endpoint', code(model.origin)] as const]),
      ['Coverage', coverageText(results)],
      ['Samples per task', formatCount(results.coverage.epochs)],
      ['Temperature', execution.temperature === null ? 'Profile default' : String(execution.temperature)],
      ...((execution.top_p ?? null) === null ? [] : [['Top p', String(execution.top_p)] as const]),
      ...((execution.model_seed ?? null) === null ? [] : [['Model seed', String(execution.model_seed)] as const]),
      ...changedPrompt(execution).map(([name, text]) => [name, untrusted(text)] as const),
      ...(execution.effort === null ? [] : [['Reasoning effort', execution.effort] as const]),
      [
        'Max output tokens',
        execution.max_output_tokens === null ? 'Profile default' : `${formatCount(execution.max_output_tokens)} tokens`,
      ],
    ]),
    table(
      'Benchmark profiles',
      [
        { label: 'Profile' },
        { label: 'Split' },
        { label: 'Shots', numeric: true },
        { label: 'Tasks run', numeric: true },
        { label: 'Tasks available', numeric: true },
        { label: 'Chance level', numeric: true },
      ],
      profiles.map(profile => [
        untrusted(profileName(profile)),
        profile.split,
        formatCount(profile.shots),
        formatCount(profile.tasks_selected),
        formatCount(profile.tasks_available),
        formatPercent(profile.chance_level),
      ]),
    ),
  )
}

function coverageText({ coverage }: Results): string {
  const notRun = coverage.missing + coverage.cancelled
  return `${frozenText(coverage)}${notRun === 0 ? '' : `, of which ${formatCount(notRun)} were not run`}`
}

function frozenText(coverage: Results['coverage']): string {
  if (coverage.full_benchmark) return `every task, ${formatCount(coverage.frozen)} samples`
  if (coverage.mode === 'full') return `every available task, ${formatCount(coverage.frozen)} samples`
  if (coverage.mode === 'exact') return `exactly the tasks that were selected, ${formatCount(coverage.frozen)} samples`
  return `up to ${formatCount(coverage.sample_count ?? 0)} tasks of each profile, ${formatCount(coverage.frozen)} samples, seed ${coverage.seed ?? 'none'}`
}
