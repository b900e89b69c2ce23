import { Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { Effort } from '../../contract/catalog/models.schemas.ts'
import type { TuneCall } from '../../contract/tuning/draft.schemas.ts'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { DollarField } from '../ui/forms/dollar-field.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { billedRules, emptyCandidate, mostCandidates, type TypedCandidate, type TypedTerms } from './group-terms.ts'
import { SearchFields } from './search-fields.tsx'

const options = { withScrollArea: false, styles: { options: { maxHeight: 320, overflowY: 'auto' } } } as const
const efforts = Effort.options.map(value => ({ value, label: value }))

interface FieldsProps {
  readonly call: TuneCall | null
  readonly value: TypedTerms
  readonly onChange: (value: TypedTerms) => void
}

/** Candidates, mode and spending limit of a run group. */
export function GroupTermsFields({ call, value, onChange }: FieldsProps) {
  const choice = useModelChoice()
  const { candidates } = value
  const replace = (next: readonly TypedCandidate[]) => onChange({ ...value, candidates: next })
  if (choice.error) return <ErrorState error={choice.error} title="Couldn’t load the models" onRetry={choice.retry} />
  const groups = Map.groupBy(choice.options ?? [], ({ group }) => group)
  const models = [...groups].map(([group, items]) => ({
    group,
    items: items.map(({ value: id, label, reasons }) => ({ value: id, label, disabled: reasons.length > 0 })),
  }))
  return (
    <>
      {candidates.map((one, i) => {
        const change = (part: Partial<TypedCandidate>) =>
          replace(candidates.map(other => (other.key === one.key ? { ...other, ...part } : other)))
        return (
          <fieldset key={one.key} className="tuning-candidate">
            <legend>Candidate {i + 1}</legend>
            <TextInput label="Label" maxLength={100} {...textField(one.label, text => change({ label: text }))} />
            <Select
              {...options}
              label="Model"
              searchable
              nothingFoundMessage="No model has this name."
              data={models}
              value={one.model}
              onChange={model => change({ model })}
            />
            <Select
              {...options}
              label="Effort"
              placeholder="Provider default"
              clearable
              data={efforts}
              value={one.effort}
              onChange={effort => change({ effort: Effort.nullable().parse(effort) })}
            />
            <Textarea
              className="tuning-wide"
              label="Prompt template"
              description="Must contain {input}. Empty: the prompt of the call. The system prompt stays as it is."
              placeholder={call?.prompt_template ?? ''}
              autosize
              minRows={1}
              maxRows={8}
              {...textField(one.template, text => change({ template: text }))}
            />
            {candidates.length > 1 ? (
              <div className="row tuning-wide">
                <Button variant="default" size="xs" onClick={() => replace(candidates.filter(({ key }) => key !== one.key))}>
                  Remove candidate {i + 1}
                </Button>
              </div>
            ) : null}
          </fieldset>
        )
      })}
      <div className="row">
        <Button variant="default" disabled={candidates.length >= mostCandidates} onClick={() => replace([...candidates, emptyCandidate()])}>
          Add candidate
        </Button>
      </div>
      <div className="stack" style={{ gap: 4 }}>
        <SegmentedControl
          aria-label="Mode"
          style={{ alignSelf: 'start' }}
          data={[
            { value: 'race', label: 'Race' },
            { value: 'full', label: 'Full' },
          ]}
          value={value.mode}
          onChange={mode => onChange({ ...value, mode: mode === 'full' ? 'full' : 'race' })}
        />
        <p className="quotes-note">
          {value.mode === 'race'
            ? 'Candidates that cannot win are dropped early, so fewer calls are made.'
            : 'Every case is run on every candidate, and the verdict comes at the end.'}
        </p>
      </div>
      <SearchFields models={models} value={value.search} onChange={search => onChange({ ...value, search })} />
      <div className="tuning-grid">
        <DollarField
          label="Spending limit"
          description="What the wallet may be charged for all arms together."
          value={value.dollars}
          onChange={dollars => onChange({ ...value, dollars })}
        />
        <DollarField
          label="Provider spending limit"
          description="What the providers of connections may bill."
          rules={billedRules}
          value={value.billedDollars}
          onChange={billedDollars => onChange({ ...value, billedDollars })}
        />
      </div>
    </>
  )
}
