import { Button, Checkbox, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { checkField, textField } from '../ui/forms/fields.ts'
import { OptionsField, type OptionsFormProps } from './options-field.tsx'
import { type OptionField, optionsFormOf, parseOptions, withOption } from './scorer-options.ts'

const inJson = 'Set in JSON'

/** A field for each option that the scorer declares; JSON for what no field can express. Both edit the same text. */
export function ScorerOptionsFields({ form, onChange, schema }: OptionsFormProps & { readonly schema: Readonly<Record<string, unknown>> }) {
  const [wanted, setWanted] = useState(false)
  const { fields, jsonOnly } = optionsFormOf(schema)
  const options = parseOptions(form.options)
  const unknown = Object.keys(options ?? {}).filter(name => !fields.some(field => field.name === name))
  const asJson = wanted || options === null || unknown.length > 0 || (fields.length === 0 && jsonOnly.length > 0)
  if (fields.length === 0 && jsonOnly.length === 0 && !asJson) return <p className="quiet small">This scorer has no options.</p>
  return (
    <>
      {options === null
        ? null
        : fields.map(field => (
            <OneOption
              key={field.name}
              field={field}
              value={options[field.name]}
              onChange={value => onChange({ options: withOption(options, field, value) })}
            />
          ))}
      {asJson ? (
        <OptionsField
          form={form}
          onChange={onChange}
          description={jsonOnly.length === 0 ? '{} uses all defaults' : `Also takes: ${jsonOnly.join(', ')}; {} uses all defaults`}
        />
      ) : (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setWanted(true)}>
          Edit options as JSON
        </Button>
      )}
    </>
  )
}

interface OneOptionProps {
  readonly field: OptionField
  /** Undefined where the scorer's default applies. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function OneOption({ field, value, onChange }: OneOptionProps) {
  const { label, required, fallback } = field
  const description = field.description ?? undefined
  const shown = value === undefined ? fallback : value
  const common = { label, description, required, w: 360 }
  switch (field.kind) {
    case 'switch':
      return <Checkbox label={label} description={description} {...checkField(shown === true, onChange)} />
    case 'choice': {
      const isListed = typeof shown === 'string' && field.values.includes(shown)
      return (
        <Select
          {...common}
          data={[
            ...field.values.map(one => ({ value: one, label: one.replaceAll('_', ' ') })),
            ...(shown === undefined || isListed ? [] : [{ value: '', label: inJson }]),
          ]}
          clearable={!required && fallback === undefined}
          placeholder="Default"
          value={shown === undefined ? null : isListed ? shown : ''}
          onChange={chosen => chosen !== '' && onChange(chosen ?? undefined)}
        />
      )
    }
    case 'text':
      return (
        <TextInput
          {...common}
          {...(field.maxLength === null ? {} : { maxLength: field.maxLength })}
          placeholder={typeof fallback === 'string' ? fallback : undefined}
          {...textField(typeof value === 'string' ? value : '', text => onChange(text === '' ? undefined : text))}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...common}
          {...(field.min === null ? {} : { min: field.min })}
          {...(field.max === null ? {} : { max: field.max })}
          allowDecimal={!field.whole}
          placeholder={typeof fallback === 'number' ? String(fallback) : undefined}
          value={typeof value === 'number' ? value : ''}
          onChange={entered => (typeof entered === 'number' ? onChange(entered) : entered === '' && onChange(undefined))}
        />
      )
    case 'texts':
      return (
        <TagsInput
          {...common}
          placeholder="Type a text and press Enter"
          splitChars={[]}
          value={Array.isArray(shown) ? shown.filter(one => typeof one === 'string') : []}
          onChange={onChange}
        />
      )
  }
}
