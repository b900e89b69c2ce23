import { Checkbox, MultiSelect, NumberInput, SegmentedControl, Select, Textarea } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { allItems } from '../api/pages.ts'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { oneOf } from '../ui/table/use-address.ts'
import type { DefinitionForm } from './definition-form.ts'
import { evaluatorsQuery, useEvaluatorOptions, useRemoteScorers } from './evaluators.queries.ts'
import { modeWords } from './evaluators-words.ts'

interface FieldsProps {
  readonly form: DefinitionForm
  readonly onChange: (changes: Partial<DefinitionForm>) => void
}

const modes = ['classification', 'score', 'rubric', 'pairwise'] as const
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
        onChange={scorer => scorer !== null && onChange({ scorer })}
        description={chosen?.description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label="Compare with"
        data={[
          { value: 'expected', label: 'The expected answer' },
          { value: 'label', label: 'The label' },
        ]}
        value={form.targetFrom}
        onChange={value => onChange({ targetFrom: oneOf(value ?? '', ['expected', 'label']) ?? 'expected' })}
      />
      <Textarea
        label="Options"
        description="JSON; empty braces take every default"
        autosize
        minRows={2}
        maxRows={12}
        styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
        value={form.options}
        onChange={event => onChange({ options: event.currentTarget.value })}
      />
    </>
  )
}

function JudgeFields({ form, onChange }: FieldsProps) {
  const { data } = useEvaluatorOptions()
  const models = useModelChoice()
  const usePreset = (id: string | null) => {
    const preset = data?.presets.find(one => one.id === id)
    if (preset) onChange(presetChanges(preset.definition))
  }
  return (
    <>
      <Select
        label="Start from a preset"
        placeholder="Choose a preset"
        clearable
        data={(data?.presets ?? []).map(({ id, title }) => ({ value: id, label: title }))}
        onChange={usePreset}
      />
      <MultiSelect
        label="Judges"
        placeholder={form.models.length === 0 ? 'Choose one to five models' : ''}
        searchable
        maxValues={5}
        withScrollArea={false}
        styles={optionsHeight}
        data={(models.options ?? [])
          .filter(({ isModel }) => isModel)
          .map(({ value, label, reasons }) => ({ value, label, disabled: reasons.length > 0 }))}
        value={[...form.models]}
        onChange={value => onChange({ models: value })}
        nothingFoundMessage="No models. Add a connection first."
      />
      <SegmentedControl
        aria-label="Mode"
        data={modes.map(value => ({ value, label: modeWords[value] }))}
        value={form.mode}
        onChange={value => onChange({ mode: oneOf(value, modes) ?? form.mode })}
      />
      <Textarea
        label="Instructions"
        description="What decides the verdict; the form of the reply is added by Assay"
        required
        autosize
        minRows={4}
        maxRows={16}
        value={form.instructions}
        onChange={event => onChange({ instructions: event.currentTarget.value })}
      />
      {form.mode === 'rubric' ? (
        <Textarea
          label="Criteria"
          description="One per line, as points: text. Negative points for what must not happen."
          required
          autosize
          minRows={3}
          value={form.criteria}
          onChange={event => onChange({ criteria: event.currentTarget.value })}
        />
      ) : null}
      {form.mode === 'classification' || form.mode === 'score' ? (
        <Textarea
          label="Verdicts"
          description={
            form.mode === 'score' ? 'One number per line, as number: meaning' : 'One per line, as verdict: meaning. The first one passes.'
          }
          required
          autosize
          minRows={2}
          value={form.menu}
          onChange={event => onChange({ menu: event.currentTarget.value })}
        />
      ) : null}
      <Checkbox
        label="Show the expected answer to the judge"
        checked={form.reference === 'expected'}
        onChange={event => onChange({ reference: event.currentTarget.checked ? 'expected' : 'none' })}
      />
      {form.mode === 'pairwise' ? (
        <Checkbox
          label="Ask in both orders"
          description="Verdicts that change with the order count as a tie."
          checked={form.swap}
          onChange={event => onChange({ swap: event.currentTarget.checked })}
        />
      ) : null}
      <div className="row" style={{ gap: 16, alignItems: 'flex-end' }}>
        <NumberInput
          label="Votes per judge"
          w={130}
          min={1}
          max={9}
          allowDecimal={false}
          value={form.votes}
          onChange={value => onChange({ votes: Number(value) || 1 })}
        />
        <Select
          label="Combine votes"
          w={170}
          data={[
            { value: 'majority', label: 'Majority' },
            { value: 'mean', label: 'Mean' },
            { value: 'unanimous', label: 'Unanimous' },
          ]}
          value={form.combine}
          onChange={value => onChange({ combine: oneOf(value ?? '', ['majority', 'mean', 'unanimous']) ?? 'majority' })}
        />
        <Select
          label="Reasons"
          w={190}
          data={[
            { value: 'before', label: 'Before the verdict' },
            { value: 'after', label: 'After the verdict' },
            { value: 'none', label: 'None' },
          ]}
          value={form.explanation}
          onChange={value => onChange({ explanation: oneOf(value ?? '', ['before', 'after', 'none']) ?? 'before' })}
        />
      </div>
    </>
  )
}

function RemoteFields({ form, onChange }: FieldsProps) {
  const { data } = useRemoteScorers()
  return (
    <Select
      label="Remote scorer"
      placeholder={data?.length === 0 ? 'None registered yet' : 'Choose a scorer'}
      data={(data ?? []).map(({ id, name, status }) => ({ value: id, label: name, disabled: status === 'disabled' }))}
      value={form.remoteScorerId || null}
      onChange={value => onChange({ remoteScorerId: value ?? '' })}
    />
  )
}

function CompositeFields({ form, onChange }: FieldsProps) {
  const query = useInfiniteQuery(evaluatorsQuery({ q: '', kind: undefined }))
  return (
    <>
      <Select
        label="Operation"
        data={[
          { value: 'all', label: 'All parts must pass' },
          { value: 'any', label: 'One part must pass' },
          { value: 'weighted', label: 'Mean of the parts' },
        ]}
        value={form.operation}
        onChange={value => onChange({ operation: oneOf(value ?? '', ['all', 'any', 'weighted']) ?? 'all' })}
      />
      <MultiSelect
        label="Parts"
        placeholder={form.parts.length === 0 ? 'Choose saved evaluators' : ''}
        searchable
        withScrollArea={false}
        styles={optionsHeight}
        data={allItems(query.data).map(({ id, name, version }) => ({ value: id, label: `${name} v${version}` }))}
        value={[...form.parts]}
        onChange={parts => onChange({ parts })}
      />
    </>
  )
}

/** What a preset says in the editor's own fields. */
function presetChanges(definition: Record<string, unknown>): Partial<DefinitionForm> {
  const text = (name: string) => (typeof definition[name] === 'string' ? definition[name] : '')
  const lines = (name: string, format: (entry: Record<string, unknown>) => string) =>
    Array.isArray(definition[name]) ? definition[name].map((entry: Record<string, unknown>) => format(entry)).join('\n') : ''
  return {
    mode: oneOf(text('mode'), modes) ?? 'classification',
    instructions: text('instructions'),
    menu: lines('menu', ({ value, meaning }) => `${String(value)}: ${String(meaning)}`),
    criteria: lines('criteria', ({ points, text: criterion }) => `${String(points)}: ${String(criterion)}`),
    reference: text('reference') === 'expected' ? 'expected' : 'none',
    combine: oneOf(text('combine'), ['majority', 'mean', 'unanimous']) ?? 'majority',
    swap: definition['swap'] === true,
  }
}
