import type { FrozenProfile, Quote } from '../../contract/quotes/quotes.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { coverageText, settingsText } from './describe-frozen.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'

const columns: readonly Column<FrozenProfile>[] = [
  {
    id: 'profile',
    title: 'Profile',
    width: 220,
    grow: true,
    rowHeader: true,
    cell: profile => (
      <>
        <div>
          <UntrustedText text={profileName(profile)} layout="prose" />
        </div>
        <div className="quiet">
          <UntrustedText text={profile.source_ref} layout="prose" />
        </div>
      </>
    ),
  },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 120,
    align: 'end',
    cell: profile => `${formatCount(profile.tasks_selected)} of ${formatCount(profile.tasks_available)}`,
  },
  { id: 'shots', title: 'Shots', width: 56, align: 'end', cell: profile => formatCount(profile.shots) },
  { id: 'metrics', title: 'Metrics', width: 200, cell: profile => profile.metrics.map(metric => metric.title).join(', ') },
  { id: 'prompt', title: 'Prompt', width: 112, cell: profile => <Identifier value={profile.prompt_digest} what="prompt digest" /> },
]

/** What was frozen: these tasks, prompts and settings, and how many calls they make. */
export function QuoteSelection({ quote }: { readonly quote: Quote }) {
  const { coverage, counts, execution, model } = quote
  return (
    <Section title="What will run">
      <PlainTable label="Profiles of this quote" columns={columns} rows={quote.profiles} rowId={profile => profile.profile_id} />
      <div className="quotes-facts">
        <KeyValues
          items={{
            Model: <UntrustedText text={`${model.provider} ${model.model}`} layout="prose" />,
            Endpoint: model.origin === null ? null : <UntrustedText text={model.origin} layout="prose" />,
            Coverage: coverageText(coverage, quote.profiles),
            Seed: coverage.seed,
            'Task list': <Identifier value={coverage.task_digest} what="task digest" />,
            Tasks: formatCount(counts.tasks),
            Samples: `${formatCount(counts.samples)}${execution.epochs > 1 ? `, ${execution.epochs} for each task` : ''}`,
          }}
        />
        <KeyValues
          items={{
            'Model calls': `${formatCount(counts.model_calls)}, without retries`,
            'Judge calls': formatCount(counts.judge_calls),
            'Sandbox runs': formatCount(counts.sandbox_executions),
            ...settingsText(execution),
          }}
        />
      </div>
    </Section>
  )
}
