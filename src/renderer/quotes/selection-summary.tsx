import { CloseButton } from '@mantine/core'
import { formatCount } from '../../lib/format/numbers.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { ModelOption } from './model-options.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import type { QuoteForm } from './quote-form.ts'
import type { SelectedProfile } from './use-selected-profiles.ts'

interface SelectionSummaryProps {
  /** The first, and those that it is compared with. */
  readonly models: readonly ModelOption[]
  readonly profiles: readonly SelectedProfile[]
  readonly form: QuoteForm
  readonly onRemove: (profileId: string) => void
}

/** What was chosen so far, also where a search hides it. */
export function SelectionSummary({ models, profiles, form, onRemove }: SelectionSummaryProps) {
  const counts = profiles.map(({ profile }) => tasksOf(profile?.task_count ?? null, form))
  return (
    <div className="stack" style={{ gap: 8 }}>
      <h2 className="quotes-aside-title">Your selection</h2>
      {models.length === 0 ? <div className="quiet">No model yet</div> : null}
      {models.map(({ value, label, isModel }) => (
        <div key={value}>
          <UntrustedText text={label} layout="prose" />
          {isModel ? null : <span className="quiet"> (not a model)</span>}
        </div>
      ))}
      {profiles.length === 0 ? <div className="quiet">No profile yet</div> : null}
      <ul className="quotes-chosen">
        {profiles.map(({ id, profile }, index) => (
          <li key={id}>
            <span>
              <UntrustedText text={profile ? profileName(profile) : id} layout="prose" />
              <span className="quiet num"> {counts[index] === null ? '' : countTasks(counts[index] ?? 0)}</span>
            </span>
            <CloseButton size="sm" aria-label={`Remove ${profile ? profileName(profile) : id}`} onClick={() => onRemove(id)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function countTasks(tasks: number): string {
  return `${formatCount(tasks)} ${tasks === 1 ? 'task' : 'tasks'}`
}

function tasksOf(available: number | null, { mode, sampleCount }: QuoteForm): number | null {
  if (mode === 'full') return available
  if (sampleCount === null) return null
  return available === null ? sampleCount : Math.min(available, sampleCount)
}
