import { Switch, TagsInput, Textarea } from '@mantine/core'
import type { Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import type { ExecutionDraft, FieldErrors } from './quote-form.ts'

type Changed = 'system_prompt' | 'prompt_template' | 'stop'

interface PromptFieldsProps {
  readonly draft: ExecutionDraft
  readonly errors: FieldErrors
  /** What a change begins with. */
  readonly profiles: readonly Profile[]
  readonly onChange: (draft: ExecutionDraft) => void
}

/** What the run changes of how its profiles ask; the example prompt on the page follows. */
export function PromptFields({ draft, errors, profiles, onChange }: PromptFieldsProps) {
  const [first] = profiles
  const isOpen = changedSettings.some(id => draft[id] !== undefined || errors[`execution.${id}`] !== undefined)
  const change = (changes: Partial<Pick<ExecutionDraft, Changed>>) => onChange({ ...draft, ...changes })
  const turn = (id: Changed, changes: Partial<Pick<ExecutionDraft, Changed>>) => (isOn: boolean) => {
    const { [id]: _, ...others } = draft
    onChange(isOn ? { ...draft, ...changes } : others)
  }
  return (
    <details className="quotes-advanced" {...(isOpen ? { open: true } : {})}>
      <summary>Prompt</summary>
      <div className="quotes-prompt">
        <Switch
          label="Change the system prompt"
          checked={draft.system_prompt !== undefined}
          onChange={event => turn('system_prompt', { system_prompt: first?.system_prompt ?? '' })(event.currentTarget.checked)}
        />
        {draft.system_prompt === undefined ? null : (
          <Textarea
            label="System prompt"
            description="For every profile; none is sent where it is empty"
            autosize
            minRows={2}
            maxRows={12}
            maxLength={100_000}
            value={draft.system_prompt}
            error={errors['execution.system_prompt']}
            onChange={event => change({ system_prompt: event.currentTarget.value })}
          />
        )}
        <Switch
          label="Change the prompt template"
          description={profiles.length === 1 ? undefined : 'For one profile at a time'}
          disabled={profiles.length !== 1 && draft.prompt_template === undefined}
          checked={draft.prompt_template !== undefined}
          onChange={event => turn('prompt_template', { prompt_template: first?.prompt_template ?? '' })(event.currentTarget.checked)}
        />
        {draft.prompt_template === undefined ? null : (
          <Textarea
            label="Prompt template"
            description="Fields of the task stand in braces"
            autosize
            minRows={2}
            maxRows={12}
            maxLength={100_000}
            value={draft.prompt_template}
            error={errors['execution.prompt_template']}
            onChange={event => change({ prompt_template: event.currentTarget.value })}
          />
        )}
        <Switch
          label="Change the stop sequences"
          checked={draft.stop !== undefined}
          onChange={event => turn('stop', { stop: [...(first?.generation.stop ?? [])] })(event.currentTarget.checked)}
        />
        {draft.stop === undefined ? null : (
          <TagsInput
            label="Stop sequences"
            description="Answers end before the first of them; at most four"
            maxTags={4}
            value={[...draft.stop]}
            error={errors['execution.stop']}
            onChange={stop => change({ stop })}
          />
        )}
      </div>
    </details>
  )
}

const changedSettings: readonly Changed[] = ['system_prompt', 'prompt_template', 'stop']
