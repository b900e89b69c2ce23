import { Select, TextInput } from '@mantine/core'
import { oneOf } from '../ui/table/use-address.ts'
import { CompositeFields } from './composite-fields.tsx'
import type { DefinitionForm } from './definition-form.ts'
import { useEvaluatorOptions, useRemoteScorers } from './evaluators.queries.ts'
import { JudgeFields } from './judge-fields.tsx'
import { OptionsField } from './options-field.tsx'
import { ScorerOptionsFields } from './scorer-options-fields.tsx'

export interface FieldsProps {
  readonly form: DefinitionForm
  readonly onChange: (changes: Partial<DefinitionForm>) => void
}

const optionsHeight = { options: { maxHeight: 320, overflowY: 'auto' as const } }

/** The fields of the chosen kind. */
export function DefinitionFields({ form, onChange }: FieldsProps) {
  if (form.kind === 'deterministic') return <DeterministicFields form={form} onChange={onChange} />
  if (form.kind === 'model_graded') return <JudgeFields form={form} onChange={onChange} />
  if (form.kind === 'remote') return <RemoteFields form={form} onChange={onChange} />
  return <CompositeFields form={form} onChange={onChange} />
}

function DeterministicFields({ form, onChange }: FieldsProps) {
  const { data } = useEvaluatorOptions()
  const chosen = data?.scorers.find(({ id }) => id === form.scorer)
  return (
    <>
      <Select
        label="Scorer"
        searchable
        withScrollArea={false}
        styles={optionsHeight}
        data={(data?.scorers ?? []).map(({ id, title }) => ({ value: id, label: `${title} (${id})` }))}
        value={form.scorer}
        // Options of another scorer mean nothing to this one.
        onChange={scorer => scorer !== null && scorer !== form.scorer && onChange({ scorer, options: '{}' })}
        description={chosen?.equals ? `${chosen.description} Equals ${chosen.equals}.` : chosen?.description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label="Compare with"
        data={[
          { value: 'expected', label: 'The expected answer' },
          { value: 'label', label: 'The label' },
          { value: 'metadata', label: 'A metadata field' },
        ]}
        value={form.targetFrom}
        onChange={value => onChange({ targetFrom: oneOf(value ?? '', ['expected', 'label', 'metadata']) ?? 'expected' })}
      />
      {form.targetFrom === 'metadata' ? (
        <TextInput
          label="Metadata field"
          required
          maxLength={200}
          value={form.targetMetadata}
          onChange={event => onChange({ targetMetadata: event.currentTarget.value })}
        />
      ) : null}
      {chosen ? <ScorerOptionsFields key={chosen.id} form={form} onChange={onChange} schema={chosen.options_schema} /> : null}
    </>
  )
}

function RemoteFields({ form, onChange }: FieldsProps) {
  const { data } = useRemoteScorers()
  return (
    <>
      <Select
        label="Remote scorer"
        placeholder={data?.length === 0 ? 'None registered yet' : 'Choose a scorer'}
        data={(data ?? []).map(({ id, name, status }) => ({ value: id, label: name, disabled: status === 'disabled' }))}
        value={form.remoteScorerId || null}
        onChange={value => onChange({ remoteScorerId: value ?? '' })}
      />
      <OptionsField form={form} onChange={onChange} description="Sent to the scorer as scorer.config" />
    </>
  )
}
