import { NumberInput, Select, type SelectProps, Switch } from '@mantine/core'
import { checkField } from '../ui/forms/fields.ts'
import type { TypedSearch } from './group-terms.ts'

const options = { withScrollArea: false, styles: { options: { maxHeight: 320, overflowY: 'auto' } } } as const

interface SearchFieldsProps {
  readonly models: NonNullable<SelectProps['data']>
  readonly value: TypedSearch
  readonly onChange: (value: TypedSearch) => void
}

/** A prompt search before the race. */
export function SearchFields({ models, value, onChange }: SearchFieldsProps) {
  return (
    <div className="stack" style={{ gap: 8 }}>
      <Switch
        label="Search for better prompts first"
        description="A model reads failures of candidate 1 and proposes prompts. Up to three join the race, which runs only on cases held out from the search."
        {...checkField(value.isOn, isChecked => onChange({ ...value, isOn: isChecked }))}
      />
      {value.isOn ? (
        <div className="tuning-fields">
          <Select
            {...options}
            label="Reflection model"
            description="Proposes the prompts"
            searchable
            nothingFoundMessage="No model has this name."
            data={models}
            value={value.model}
            onChange={model => onChange({ ...value, model })}
          />
          <NumberInput
            label="Training cases (%)"
            description="The rest is for the race"
            min={10}
            max={80}
            allowDecimal={false}
            value={value.trainPercent}
            onChange={typed => {
              if (typeof typed === 'number') onChange({ ...value, trainPercent: typed })
            }}
          />
          <NumberInput
            label="Max calls"
            description="Proposals included"
            min={1}
            allowDecimal={false}
            value={value.maxCalls}
            onChange={typed => {
              if (typeof typed === 'number') onChange({ ...value, maxCalls: typed })
            }}
          />
        </div>
      ) : null}
    </div>
  )
}
