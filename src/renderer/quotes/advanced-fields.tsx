import { NumberInput, Select, Switch } from '@mantine/core'
import { useState } from 'react'
import { EvaluatorsField } from '../evaluators/evaluators-field.tsx'
import { Effort, type ExecutionOptions } from '../../contract/catalog/models.schemas.ts'
import { checkField } from '../ui/forms/fields.ts'
import { numberOrNull } from './number-value.ts'
import { type ExecutionDraft, type FieldErrors, hasChangedSettings } from './quote-form.ts'
import { type NumberSetting, numberSettings } from './number-settings.ts'

interface AdvancedFieldsProps {
  readonly draft: ExecutionDraft
  readonly errors: FieldErrors
  /** Bounds of this machine; undefined until they are known. */
  readonly options: ExecutionOptions | undefined
  readonly onChange: (change: Partial<ExecutionDraft>) => void
}

/** Settings whose defaults suit most runs. Closed at first, unless one of them was refused or is another than the default. */
export function AdvancedFields({ draft, errors, options, onChange }: AdvancedFieldsProps) {
  const refused = Object.keys(errors).some(field => field.startsWith('execution.'))
  const [isChanged] = useState(() => hasChangedSettings(draft))
  return (
    <details className="quotes-advanced" {...(refused || isChanged ? { open: true } : {})}>
      <summary>Execution settings</summary>
      <div className="quotes-advanced-grid">
        {numberSettings(options).map(setting => (
          <SettingField
            key={setting.id}
            setting={setting}
            value={numberIn(draft[setting.id])}
            error={errors[`execution.${setting.id}`]}
            onChange={value => onChange({ [setting.id]: value })}
          />
        ))}
        <Select
          label="Reasoning effort"
          description="Unsupported values are rejected at quote time"
          placeholder="Provider default"
          clearable
          data={[...(options?.efforts ?? Effort.options)]}
          value={draft.effort}
          error={errors['execution.effort']}
          onChange={value => onChange({ effort: Effort.nullable().parse(value) })}
        />
        <EvaluatorsField
          value={draft.evaluators}
          error={errors['execution.evaluators']}
          onChange={evaluators => onChange({ evaluators })}
        />
        <Switch
          label="Send no temperature"
          description="For models that reject it; overrides the profiles"
          {...checkField(draft.temperature === 'none', isOn => onChange({ temperature: isOn ? 'none' : null }))}
        />
        <Switch
          label="Batch mode"
          description="Half the price at OpenAI and Anthropic; answers within 24 h"
          error={errors['execution.mode']}
          {...checkField(draft.mode === 'batch', isOn => onChange({ mode: isOn ? 'batch' : 'live' }))}
        />
        <Switch
          label="Use cached answers"
          description={
            options?.cache.available === false
              ? options.cache.reason
              : 'Reuses answers of earlier cached runs to the same request and epoch; results mark them.'
          }
          disabled={options?.cache.available === false}
          error={errors['execution.cache']}
          {...checkField(draft.cache, isOn => onChange({ cache: isOn }))}
        />
      </div>
    </details>
  )
}

/** The temperature may be a word instead. */
function numberIn(value: number | 'none' | null | undefined): number | null {
  return value === undefined || value === 'none' ? null : value
}

interface SettingFieldProps {
  readonly setting: NumberSetting
  readonly value: number | null
  readonly error: string | undefined
  readonly onChange: (value: number | null) => void
}

function SettingField({ setting, value, error, onChange }: SettingFieldProps) {
  const { label, description, unit, min, max, decimals, step } = setting
  return (
    <NumberInput
      label={label}
      description={description}
      min={min / unit}
      max={max / unit}
      step={step}
      decimalScale={decimals}
      thousandSeparator=","
      value={value === null ? '' : value / unit}
      error={error}
      onChange={typed => {
        const number = numberOrNull(typed)
        // A setting with a unit is a whole number of its smallest part.
        onChange(number === null ? null : decimals > 0 && unit === 1 ? number : Math.round(number * unit))
      }}
    />
  )
}
