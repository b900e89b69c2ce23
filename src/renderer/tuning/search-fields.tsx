import { NumberInput, Select, type SelectProps, Switch } from '@mantine/core'
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
        checked={value.isOn}
        onChange={event => onChange({ ...value, isOn: event.currentTarget.checked })}
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
