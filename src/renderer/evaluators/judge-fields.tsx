import { Checkbox, NumberInput, SegmentedControl, Select, Textarea } from '@mantine/core'
import { EvaluatorDefinition, swapRules } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import { oneOf } from '../ui/table/use-address.ts'
import { CriteriaEditor } from './criteria-editor.tsx'
import type { FieldsProps } from './definition-fields.tsx'
import { type DefinitionForm, formOf, menuOfMode } from './definition-form.ts'
import { useEvaluatorOptions } from './evaluators.queries.ts'
import { modeWords, referenceWords, swapRuleWords } from './evaluators-words.ts'
import { JudgesEditor } from './judges-editor.tsx'
import { MenuEditor } from './menu-editor.tsx'

const references = ['none', 'expected', 'if_given'] as const
const modes = ['classification', 'score', 'rubric', 'pairwise'] as const

export function JudgeFields({ form, onChange }: FieldsProps) {
  const { data } = useEvaluatorOptions()
  const usePreset = (id: string | null) => {
    const preset = data?.presets.find(one => one.id === id)
    if (preset) onChange(presetChanges(preset.definition))
  }
  const setMode = (value: string) => {
    const mode = oneOf(value, modes) ?? form.mode
    if (mode !== form.mode) onChange({ mode, menu: menuOfMode(mode), swap: null, swapRule: null })
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
      <JudgesEditor judges={form.judges} onChange={judges => onChange({ judges })} />
      <SegmentedControl
        aria-label="Mode"
        data={modes.map(value => ({ value, label: modeWords[value] }))}
        value={form.mode}
        onChange={setMode}
      />
      <Textarea
        label="Instructions"
        description="What decides the verdict; the form of the reply is added by Assay"
        required
        autosize
        minRows={4}
        maxRows={16}
        {...textField(form.instructions, text => onChange({ instructions: text }))}
      />
      {form.mode === 'rubric' ? <CriteriaEditor criteria={form.criteria} onChange={criteria => onChange({ criteria })} /> : null}
      {form.mode === 'classification' || form.mode === 'score' ? (
        <MenuEditor mode={form.mode} menu={form.menu} onChange={menu => onChange({ menu })} />
      ) : null}
      <Select
        label="Expected answer"
        data={references.map(value => ({ value, label: referenceWords[value] }))}
        value={form.reference}
        onChange={value => onChange({ reference: oneOf(value ?? '', references) ?? form.reference })}
      />
      {form.mode === 'pairwise' ? null : <TurnFields form={form} onChange={onChange} />}
      {form.mode === 'pairwise' ? (
        <Checkbox
          label="Ask in both orders"
          {...checkField(form.swap ?? true, isChecked => onChange({ swap: isChecked, swapRule: null }))}
        />
      ) : null}
      {form.mode === 'pairwise' && (form.swap ?? true) ? (
        <Select
          label="Verdicts that change with the order"
          data={swapRules.map(value => ({ value, label: swapRuleWords[value] }))}
          value={form.swapRule ?? 'tie'}
          onChange={value => onChange({ swapRule: oneOf(value ?? '', swapRules) ?? null })}
        />
      ) : null}
      <Textarea
        label="Template"
        description={`Layout of the material, with ${form.mode === 'pairwise' ? '{output_a} and {output_b}' : '{output}'}; empty uses the default`}
        autosize
        minRows={1}
        maxRows={12}
        styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12 } }}
        {...textField(form.template, text => onChange({ template: text }))}
      />
      <VoteFields form={form} onChange={onChange} />
    </>
  )
}

const turnChoices = [
  { value: 'last', label: 'Last answer' },
  { value: 'each', label: 'Mean of all answers' },
  { value: 'one', label: 'Answer to one turn' },
]

function TurnFields({ form: { turns }, onChange }: FieldsProps) {
  return (
    <div className="row" style={{ gap: 16, alignItems: 'flex-end' }}>
      <Select
        label="Graded answer"
        description="In conversations with scripted turns"
        w={240}
        data={turnChoices}
        value={turns === '' ? 'last' : turns === 'each' ? 'each' : 'one'}
        onChange={value => onChange({ turns: value === 'each' ? 'each' : value === 'one' ? 1 : '' })}
      />
      {typeof turns === 'number' ? (
        <NumberInput
          label="Turn"
          w={110}
          min={1}
          max={33}
          allowDecimal={false}
          value={turns}
          onChange={value => onChange({ turns: Number(value) || 1 })}
        />
      ) : null}
    </div>
  )
}

function VoteFields({ form, onChange }: FieldsProps) {
  return (
    <div className="row" style={{ gap: 16, alignItems: 'flex-end' }}>
      <NumberInput
        label="Votes per judge"
        w={120}
        min={1}
        max={9}
        allowDecimal={false}
        value={form.votes}
        onChange={value => onChange({ votes: Number(value) || 1 })}
      />
      <Select
        label="Combine votes"
        w={160}
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
        w={180}
        data={[
          { value: 'before', label: 'Before the verdict' },
          { value: 'after', label: 'After the verdict' },
          { value: 'none', label: 'None' },
        ]}
        value={form.explanation}
        onChange={value => onChange({ explanation: oneOf(value ?? '', ['before', 'after', 'none']) ?? 'before' })}
      />
    </div>
  )
}

/** A preset says everything but who judges, so the chosen judges, name and description stay. */
function presetChanges(preset: Record<string, unknown>): Partial<DefinitionForm> {
  const placeholder = [{ model: { kind: 'managed', route_id: 'none' } }]
  const parsed = EvaluatorDefinition.safeParse({ ...preset, judges: placeholder })
  if (!parsed.success) return {}
  const {
    name: _name,
    description: _description,
    judges: _judges,
    ...changes
  } = formOf({
    name: '',
    description: '',
    definition: parsed.data,
  })
  return changes
}
