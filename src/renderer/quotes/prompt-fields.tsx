import { Switch, TagsInput, Textarea } from '@mantine/core'
import type { Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import type { ExecutionDraft, FieldErrors } from './quote-form.ts'

const changedSettings = ['system_prompt', 'prompt_template', 'stop'] as const
type Changes = Pick<ExecutionDraft, (typeof changedSettings)[number]>

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
  const change = (changes: Changes) => onChange({ ...draft, ...changes })
  const keep = (id: keyof Changes) => {
    const { [id]: _, ...others } = draft
    onChange(others)
  }
  return (
    <details className="quotes-advanced" {...(isOpen ? { open: true } : {})}>
      <summary>Prompt</summary>
      <div className="quotes-prompt">
        <ChangedText
          name="System prompt"
          description="For every profile; none is sent where it is empty"
          value={draft.system_prompt}
          error={errors['execution.system_prompt']}
          onKeep={() => keep('system_prompt')}
          onChange={text => change({ system_prompt: text ?? first?.system_prompt ?? '' })}
        />
        <ChangedText
          name="Prompt template"
          description="Fields of the task stand in braces"
          refusal={profiles.length === 1 ? undefined : 'For one profile at a time'}
          value={draft.prompt_template}
          error={errors['execution.prompt_template']}
          onKeep={() => keep('prompt_template')}
          onChange={text => change({ prompt_template: text ?? first?.prompt_template ?? '' })}
        />
        <Switch
          label="Change the stop sequences"
          {...checkField(draft.stop !== undefined, isOn => (isOn ? change({ stop: [...(first?.generation.stop ?? [])] }) : keep('stop')))}
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

interface ChangedTextProps {
  readonly name: string
  readonly description: string
  /** Why it cannot be changed; undefined where it can. */
  readonly refusal?: string | undefined
  /** Undefined while it is the profile's own. */
  readonly value: string | undefined
  readonly error: string | undefined
  readonly onKeep: () => void
  /** Null: what the profile has, to begin with. */
  readonly onChange: (text: string | null) => void
}

function ChangedText({ name, description, refusal, value, error, onKeep, onChange }: ChangedTextProps) {
  return (
    <>
      <Switch
        label={`Change the ${name.toLowerCase()}`}
        description={refusal}
        disabled={refusal !== undefined && value === undefined}
        {...checkField(value !== undefined, isOn => (isOn ? onChange(null) : onKeep()))}
      />
      {value === undefined ? null : (
        <Textarea
          label={name}
          description={description}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={100_000}
          error={error}
          {...textField(value, onChange)}
        />
      )}
    </>
  )
}
