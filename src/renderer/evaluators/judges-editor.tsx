import { Anchor, MultiSelect, NumberInput, Select } from '@mantine/core'
import { Link } from 'react-router'
import { Effort } from '../../contract/catalog/models.schemas.ts'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { oneOf } from '../ui/table/use-address.ts'
import type { JudgeRow } from './definition-form.ts'

const optionsHeight = { options: { maxHeight: 320, overflowY: 'auto' as const } }

interface JudgesEditorProps {
  readonly judges: readonly JudgeRow[]
  readonly onChange: (judges: readonly JudgeRow[]) => void
}

/** Which models judge, and how each is called. */
export function JudgesEditor({ judges, onChange }: JudgesEditorProps) {
  const models = useModelChoice()
  const options = (models.options ?? []).filter(({ isModel }) => isModel)
  const label = (value: string) => options.find(option => option.value === value)?.label ?? value
  const known = new Set(options.map(({ value }) => value))
  const change = (index: number, changes: Partial<JudgeRow>) =>
    onChange(judges.map((judge, i) => (i === index ? { ...judge, ...changes } : judge)))
  return (
    <>
      <MultiSelect
        label="Judges"
        description={
          models.options && options.length === 0 ? (
            <>
              No models yet.{' '}
              <Anchor component={Link} to="/models/connections/new" fz="inherit" underline="always">
                Connect a model
              </Anchor>{' '}
              first.
            </>
          ) : null
        }
        placeholder={judges.length === 0 ? 'Choose one to five models' : ''}
        searchable
        maxValues={5}
        withScrollArea={false}
        styles={optionsHeight}
        data={[
          ...options.map(option => ({ value: option.value, label: option.label, disabled: option.reasons.length > 0 })),
          ...judges.filter(({ model }) => !known.has(model)).map(({ model }) => ({ value: model, label: model })),
        ]}
        value={[...new Set(judges.map(({ model }) => model))]}
        onChange={values =>
          onChange(
            values.flatMap(model => {
              const kept = judges.filter(judge => judge.model === model)
              return kept.length > 0 ? kept : [{ model, effort: null, temperature: 0 }]
            }),
          )
        }
        nothingFoundMessage="No matching models"
      />
      {judges.map((judge, i) => (
        // The place is the key: one model may judge twice, with different settings.
        <div key={i} className="row" style={{ gap: 16, alignItems: 'flex-end' }}>
          <span className="evaluators-judge">{label(judge.model)}</span>
          <NumberInput
            label="Temperature"
            aria-label={`Temperature of ${label(judge.model)}`}
            placeholder="Provider default"
            w={150}
            min={0}
            max={2}
            step={0.1}
            value={judge.temperature ?? ''}
            onChange={value => change(i, { temperature: value === '' ? null : Number(value) })}
          />
          <Select
            label="Effort"
            aria-label={`Effort of ${label(judge.model)}`}
            placeholder="Default"
            w={130}
            clearable
            data={Effort.options}
            value={judge.effort}
            onChange={value => change(i, { effort: oneOf(value ?? '', Effort.options) ?? null })}
          />
        </div>
      ))}
    </>
  )
}
