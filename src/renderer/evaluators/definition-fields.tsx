import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { similarityMeasures } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { useConnections } from '../connections/models.queries.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import { oneOf } from '../ui/table/use-address.ts'
import { CompositeFields } from './composite-fields.tsx'
import type { DefinitionForm } from './definition-form.ts'
import { useRemoteScorers } from './evaluators.queries.ts'
import { measureWords } from './evaluators-words.ts'
import { JudgeFields } from './judge-fields.tsx'
import { OptionsField } from './options-field.tsx'
import { OptionsOfScorer, ScorerField } from './scorer-fields.tsx'

export interface FieldsProps {
  readonly form: DefinitionForm
  readonly onChange: (changes: Partial<DefinitionForm>) => void
}

/** The fields of the chosen kind. */
export function DefinitionFields({ form, onChange }: FieldsProps) {
  if (form.kind === 'deterministic') return <DeterministicFields form={form} onChange={onChange} />
  if (form.kind === 'model_graded') return <JudgeFields form={form} onChange={onChange} />
  if (form.kind === 'embedding') return <EmbeddingFields form={form} onChange={onChange} />
  if (form.kind === 'remote') return <RemoteFields form={form} onChange={onChange} />
  return <CompositeFields form={form} onChange={onChange} />
}

function DeterministicFields({ form, onChange }: FieldsProps) {
  return (
    <>
      {/* Options of another scorer mean nothing to this one. */}
      <ScorerField scorer={form.scorer} onChange={scorer => onChange({ scorer, options: '{}' })} />
      <TargetFields form={form} onChange={onChange} />
      <OptionsOfScorer scorer={form.scorer} form={form} onChange={onChange} />
    </>
  )
}

/** What an output is compared with. */
function TargetFields({ form, onChange }: FieldsProps) {
  return (
    <>
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
          {...textField(form.targetMetadata, text => onChange({ targetMetadata: text }))}
        />
      ) : null}
    </>
  )
}

function EmbeddingFields({ form, onChange }: FieldsProps) {
  const { data } = useConnections()
  const models = (data ?? []).filter(({ capabilities, status }) => capabilities.includes('embeddings') && status !== 'disabled')
  return (
    <>
      <Select
        label="Embedding model"
        description="A connection with the protocol OpenAI embeddings. Each output takes one call."
        placeholder={models.length === 0 ? 'None yet: add a connection under Models' : 'Choose a connection'}
        data={models.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.connectionId || null}
        onChange={value => onChange({ connectionId: value ?? '' })}
      />
      <TargetFields form={form} onChange={onChange} />
      <Select
        label="Measure"
        data={similarityMeasures.map(value => ({ value, label: measureWords[value] }))}
        value={form.measure}
        onChange={value => onChange({ measure: oneOf(value ?? '', similarityMeasures) ?? 'cosine' })}
      />
      <NumberInput
        label={form.measure === 'euclidean' ? 'Max distance' : 'Min similarity'}
        description="With several references, one is enough. Tests of promptfoo with “similar” keep their own."
        step={0.05}
        value={form.threshold}
        onChange={value => typeof value === 'number' && onChange({ threshold: value })}
      />
      <Switch label="Pass where similar to none" {...checkField(form.negated, isChecked => onChange({ negated: isChecked }))} />
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
